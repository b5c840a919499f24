import ky from 'ky';
import type { CreateClient } from '../client.js';
import { envelopeClient } from '../envelope.js';
import { PAGE_URL, QUOTE_PATH, WRITE_BODY, WRITE_PATH } from '../requests.js';

export const create: CreateClient = (origin) => {
  const client = ky.create({ timeout: 30_000 });
  return envelopeClient({
    quote: () => client.get(origin + QUOTE_PATH).json(),
    page: () => client.get(origin + PAGE_URL).json(),
    write: () => client.post(origin + WRITE_PATH, { json: WRITE_BODY }).json(),
  });
};
