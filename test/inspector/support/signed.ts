import type { Sandbox } from 'partner-sdk/sandbox';
import { clockNonces } from '../../../src/signing/nonce.js';
import { signature } from '../../support/signature.js';

interface Given {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly key?: string;
  readonly nonce?: string;
  /** Path that is signed in place of the one that is sent. */
  readonly signedPath?: string;
}

/** Sends a request as a program of another language would. Counts on from the clients: two calls may share a millisecond. */
export async function send(
  { credentials }: Sandbox,
  url: string,
  { method = 'GET', path, body, key, nonce: given, signedPath = path }: Given,
): Promise<Response> {
  const nonce = given ?? String(await clockNonces.next(credentials.apiKey));
  const headers = {
    'API-Key': credentials.apiKey,
    'API-Nonce': nonce,
    'API-Sign': signature(credentials.apiSecret, signedPath, nonce, body),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(key === undefined ? {} : { 'Idempotency-Key': key }),
  };
  return fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
}
