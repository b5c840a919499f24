import type { Sandbox } from 'partner-sdk/sandbox';
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

let last = 0n;

function nextNonce(): string {
  const now = BigInt(Date.now()) * 1_000_000n;
  last = now > last ? now : last + 1n;
  return String(last);
}

/** Sends a request as a program of another language would. */
export async function send(
  { credentials }: Sandbox,
  url: string,
  { method = 'GET', path, body, key, nonce = nextNonce(), signedPath = path }: Given,
): Promise<Response> {
  const headers = {
    'API-Key': credentials.apiKey,
    'API-Nonce': nonce,
    'API-Sign': signature(credentials.apiSecret, signedPath, nonce, body),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(key === undefined ? {} : { 'Idempotency-Key': key }),
  };
  return fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
}
