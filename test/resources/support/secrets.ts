import { inspect } from 'node:util';
import { expect } from 'vitest';
import { API_SECRET, OTP, type Service } from './service.js';

export const PRIVATE = 'private-address-of-a-customer';
/** A body of whose text members nothing may be seen. */
export const privateBody = { via: 'ethereum', address: PRIVATE, memo: 'private-memo' };

/** Everything that may never be seen: as text, and in the forms that a careless encoder would give it. */
function secretsOf(service: Service): string[] {
  const signatures = service.received.map(({ headers }) => headers['api-sign'] ?? '');
  const plain = [API_SECRET, Buffer.from(API_SECRET, 'base64').toString(), OTP, PRIVATE, 'private-memo', ...signatures];
  return plain
    .filter((text) => text !== '')
    .flatMap((text) => [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)]);
}

const texts = (value: unknown): string[] => [
  inspect(value, { depth: 10, showHidden: true, maxStringLength: null, maxArrayLength: null, breakLength: 120 }),
  inspect(value, { depth: 10 }),
  JSON.stringify(value) ?? '',
  String(value),
  value instanceof Error ? `${value.stack}` : '',
];

/** Fails when any way to print the value shows a secret, a signature, an OTP or a part of the private body. */
export function expectNoSecret(service: Service, value: unknown, what: string): void {
  for (const text of texts(value))
    for (const secret of secretsOf(service))
      if (text.includes(secret)) expect.fail(`${what} shows ${JSON.stringify(secret)}: ${text.slice(0, 600)}`);
}
