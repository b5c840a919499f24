import { signature } from '../../support/signature.js';
import type { RunningCommand } from './command.js';

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  readonly nonce: bigint;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls a running command's sandbox, with the credentials that it has printed. */
export function call(command: RunningCommand, { method = 'GET', path, body, nonce, headers }: Call): Promise<Response> {
  const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
  return fetch(command.variable('PARTNER_BASE_URL') + path, {
    method,
    headers: {
      'API-Key': command.variable('PARTNER_API_KEY'),
      'API-Nonce': String(nonce),
      'API-Sign': signature(command.variable('PARTNER_API_SECRET'), path, String(nonce), bytes),
      'Content-Type': 'application/json',
      ...headers,
    },
    ...(bytes === undefined ? {} : { body: bytes }),
  });
}

/** A keyed write: offers a quote. */
export function offerQuote(command: RunningCommand, nonce: bigint, key: string): Promise<Response> {
  return call(command, {
    method: 'POST',
    path: `/v1/accounts/${command.fixture('accountId')}/quotes`,
    body: { from: { symbol: 'USD', type: 'fiat', amount: '100.00' }, to: { symbol: 'BTC', type: 'crypto' } },
    nonce,
    headers: { 'Idempotency-Key': key },
  });
}
