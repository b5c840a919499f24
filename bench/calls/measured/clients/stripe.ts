import Stripe from 'stripe';
import type { CreateClient } from '../client.js';
import { envelopeClient } from '../envelope.js';
import { PAGE_URL, QUOTE_PATH, WRITE_BODY, WRITE_PATH } from '../requests.js';

/** Sends an idempotency key with every POST; signs nothing and checks no answer. */
export const create: CreateClient = (origin) => {
  const { hostname, port } = new URL(origin);
  const stripe = new Stripe('sk_test_x', { host: hostname, port: Number(port), protocol: 'http' });
  return envelopeClient({
    quote: () => stripe.rawRequest('GET', QUOTE_PATH),
    page: () => stripe.rawRequest('GET', PAGE_URL),
    write: () => stripe.rawRequest('POST', WRITE_PATH, WRITE_BODY),
  });
};
