import { Agent } from 'node:http';
import axios from 'axios';
import type { CreateClient } from '../client.js';
import { envelopeClient } from '../envelope.js';
import { PAGE_URL, QUOTE_PATH, WRITE_BODY, WRITE_PATH } from '../requests.js';

export const create: CreateClient = (origin) => {
  const client = axios.create({ baseURL: origin, httpAgent: new Agent({ keepAlive: true }), timeout: 30_000 });
  return envelopeClient({
    quote: async () => (await client.get(QUOTE_PATH)).data,
    page: async () => (await client.get(PAGE_URL)).data,
    write: async () => (await client.post(WRITE_PATH, WRITE_BODY)).data,
  });
};
