import OpenAI from 'openai';
import type { CreateClient } from '../client.js';
import { envelopeClient } from '../envelope.js';
import { PAGE_PATH, PAGE_SIZE, QUOTE_PATH, WRITE_BODY, WRITE_PATH } from '../requests.js';

export const create: CreateClient = (origin) => {
  const client = new OpenAI({ apiKey: 'sk-test', baseURL: origin });
  return envelopeClient({
    quote: () => client.get(QUOTE_PATH),
    page: () => client.get(PAGE_PATH, { query: { page_size: PAGE_SIZE } }),
    write: () => client.post(WRITE_PATH, { body: WRITE_BODY }),
  });
};
