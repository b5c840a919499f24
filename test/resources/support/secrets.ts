import { inspect } from 'node:util';
import { expect } from 'vitest';
import { API_SECRET, OTP, type Service } from './service.js';

export const PRIVATE = 'private-address-of-a-customer';
/** A body of whose text members nothing may be seen. */
export const privateBody = { via: 'ethereum', address: PRIVATE, memo: 'private-memo' };

const percentEncoded = (secret: string) => encodeURIComponent(secret);
const escaped = (secret: string) => JSON.stringify(secret).slice(1, -1);

/** The forms in which a secret is taken out of a text of the service. */
export const FORMS: readonly (readonly [name: string, form: (secret: string) => string])[] = [
  ['as it is', (secret) => secret],
  ['percent-encoded', percentEncoded],
  [
    'percent-encoded in lower case',
    (secret) => percentEncoded(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
  ],
  ['escaped for JSON', escaped],
  ['in the URL alphabet of base64', (secret) => secret.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')],
  ['in lines', (secret) => secret.replaceAll(/.{40}/g, '$&\n')],
  ['in lines, escaped for JSON', (secret) => escaped(secret).replaceAll(/.{64}/g, '$&\\r\\n')],
  ['escaped for JSON, slashes as well', (secret) => escaped(secret).replaceAll('/', '\\/')],
];

/** Everything that may never be seen, in each form. */
function secretsOf(service: Service, others: readonly string[]): string[] {
  const signatures = service.received.map(({ headers }) => headers['api-sign'] ?? '');
  const plain = [API_SECRET, Buffer.from(API_SECRET, 'base64').toString(), OTP, ...others, ...signatures];
  return plain.filter((text) => text !== '').flatMap((text) => FORMS.map(([, form]) => form(text)));
}

/** Every way to print a value. */
export const texts = (value: unknown): string[] => [
  inspect(value, { depth: 10, showHidden: true, maxStringLength: null, maxArrayLength: null, breakLength: 120 }),
  inspect(value, { depth: 10 }),
  JSON.stringify(value) ?? '',
  String(value),
  ...(value instanceof Error ? [`${value.stack}`, ...texts(value.cause)] : []),
];

/** Fails when any way to print the value shows a secret, a signature, an OTP or, unless told, a part of the private body. */
export function expectNoSecret(
  service: Service,
  value: unknown,
  what: string,
  others: readonly string[] = [PRIVATE, 'private-memo'],
): void {
  const secrets = secretsOf(service, others);
  for (const text of texts(value))
    for (const secret of secrets)
      if (text.includes(secret)) expect.fail(`${what} shows ${JSON.stringify(secret)}: ${text.slice(0, 600)}`);
}
