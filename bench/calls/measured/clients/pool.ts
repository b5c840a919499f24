import { Pool } from 'undici';
import type { CreateClient, MeasuredClient } from '../client.js';
import { bareClient } from '../envelope.js';

/** The floor with undici's global agent and the URL of each call taken out of it. */
export const create: CreateClient = (origin) => createWith(new Pool(origin, { connections: 64 }));

export function createWith(pool: Pool): MeasuredClient {
  return bareClient(async (request) => {
    const { statusCode, body } = await pool.request(request);
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`status ${statusCode}`);
    return JSON.parse(text);
  });
}
