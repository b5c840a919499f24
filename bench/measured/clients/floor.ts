import { Pool } from 'undici';
import type { CreateClient } from '../client.js';
import { bareClient } from '../envelope.js';

/** What a user would write by hand who wants none of what an SDK does: no signature, no check, no repeat, no decimals. */
export const create: CreateClient = (origin) => {
  const pool = new Pool(origin, { connections: 64 });
  return bareClient(async (request) => {
    const { statusCode, body } = await pool.request(request);
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`status ${statusCode}`);
    return JSON.parse(text);
  });
};
