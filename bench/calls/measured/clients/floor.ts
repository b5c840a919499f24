import { request } from 'undici';
import type { CreateClient } from '../client.js';
import { bareClient } from '../envelope.js';

/** What a user would write by hand who wants none of what an SDK does: no signature, no check, no repeat, no decimals. */
export const create: CreateClient = (origin) =>
  bareClient(async ({ method, path, headers, body: content = null }) => {
    const { statusCode, body } = await request(origin + path, { method, headers, body: content });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`status ${statusCode}`);
    return JSON.parse(text);
  });
