/** `node stripe.mjs ORIGIN PATH`: one request by stripe's client, for a quote or a page. */
import Stripe from 'stripe';
import { amountOf, report } from './report.mjs';

async function main([origin, path]) {
  const { hostname, port } = new URL(origin);
  const stripe = new Stripe('sk_test_x', { host: hostname, port: Number(port), protocol: 'http' });
  const { data } = await stripe.rawRequest('GET', path);
  report(() => amountOf(data));
  process.exit();
}

main(process.argv.slice(2));
