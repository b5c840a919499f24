import { createHash, createHmac } from 'node:crypto';

/** A request as a client means to sign it. */
export interface ToSign {
  readonly secret: string;
  readonly apiKey: string;
  readonly method: string;
  readonly target: string;
  readonly nonce: string;
  readonly body: string;
}

type Bytes = string | Buffer;

export const sha = (algorithm: string, ...parts: readonly Bytes[]): Buffer => {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export const hmac = (key: Bytes, ...parts: readonly Bytes[]): Buffer => {
  const made = createHmac('sha512', key);
  for (const part of parts) made.update(part);
  return made.digest();
};

export const decoded = (secret: string): Buffer => Buffer.from(secret, 'base64');
export const inner = ({ nonce, body }: ToSign): Buffer => sha('sha256', nonce, body);
export const right = (given: ToSign): Buffer => hmac(decoded(given.secret), given.target, inner(given));

/** Signs another path. */
export const path = (change: (target: string, given: ToSign) => string) => (given: ToSign) =>
  hmac(decoded(given.secret), change(given.target, given), inner(given)).toString('base64');

/** Signs another body. */
export const body = (change: (body: string) => string) => (given: ToSign) =>
  right({ ...given, body: change(given.body) }).toString('base64');

/** Signs another nonce. */
export const nonce = (change: (nonce: bigint) => string | bigint) => (given: ToSign) =>
  right({ ...given, nonce: String(change(BigInt(given.nonce))) }).toString('base64');

/** Puts other bytes in place of the hash. */
export const hash = (make: (given: ToSign) => Bytes) => (given: ToSign) =>
  hmac(decoded(given.secret), given.target, make(given)).toString('base64');

/** Uses another key. */
export const key = (make: (given: ToSign) => Bytes) => (given: ToSign) =>
  hmac(make(given), given.target, inner(given)).toString('base64');

/** Sends another text. */
export const form = (make: (signature: Buffer) => string) => (given: ToSign) => make(right(given));

export const json = (change: (value: object) => unknown, indent?: number) =>
  body((text) => JSON.stringify(change(JSON.parse(text)), undefined, indent));

export const reordered = (value: object): object => Object.fromEntries(Object.entries(value).reverse());

/** Sorts the members of an object and of all objects in it. */
export const sorted = (value: object): object =>
  Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, typeof member === 'object' && member !== null ? sorted(member) : member]),
  );

export const withoutQuery = (target: string): string => target.replace(/\?.*/, '');
