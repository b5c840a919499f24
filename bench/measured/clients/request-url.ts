import { request } from 'undici';
import type { CreateClient } from '../client.js';
import { bareClient } from '../envelope.js';

/** The floor over undici's global agent, with a whole URL for each call. */
export const create: CreateClient = (origin) =>
  bareClient(async ({ path, ...rest }) => {
    const { statusCode, body } = await request(origin + path, rest);
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`status ${statusCode}`);
    return JSON.parse(text);
  });
