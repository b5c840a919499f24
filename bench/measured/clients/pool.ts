import { Pool } from 'undici';
import type { CreateClient } from '../client.js';
import { bareClient } from '../envelope.js';

/** The floor with undici's global agent and the URL of each call taken out of it. */
export const create: CreateClient = (origin) => {
  const pool = new Pool(origin, { connections: 64 });
  return bareClient(async (request) => {
    const { statusCode, body } = await pool.request(request);
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`status ${statusCode}`);
    return JSON.parse(text);
  });
};
