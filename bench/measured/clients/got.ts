import { Agent } from 'node:http';
import got from 'got';
import type { CreateClient } from '../client.js';
import { envelopeClient } from '../envelope.js';
import { PAGE_URL, QUOTE_PATH, WRITE_BODY, WRITE_PATH } from '../requests.js';

export const create: CreateClient = (origin) => {
  const agent = { http: new Agent({ keepAlive: true }) };
  const client = got.extend({ prefixUrl: origin, agent, timeout: { request: 30_000 } });
  // With a prefix, got takes no leading slash.
  const relative = (path: string) => path.slice(1);
  return envelopeClient({
    quote: () => client.get(relative(QUOTE_PATH)).json(),
    page: () => client.get(relative(PAGE_URL)).json(),
    write: () => client.post(relative(WRITE_PATH), { json: WRITE_BODY }).json(),
  });
};
