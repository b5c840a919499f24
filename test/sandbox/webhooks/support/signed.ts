import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type { Received } from './receiver.js';

/** What `X-Signature` of the scheme `timestamped` says, read without the code of the package. */
export function readSignature(header: unknown): { readonly seconds: number; readonly signatures: string[] } {
  const [time, ...signatures] = String(header).split(',');
  expect(time).toMatch(/^t=[0-9]+$/);
  for (const signature of signatures) expect(signature).toMatch(/^v1=[0-9a-f]{64}$/);
  return { seconds: Number(time?.slice(2)), signatures: signatures.map((signature) => signature.slice(3)) };
}

/** The signature that this secret gives, computed without the code of the package. */
export function signatureOf(secret: string, seconds: number, body: string): string {
  return createHmac('sha256', Buffer.from(secret, 'base64')).update(`${seconds}.${body}`).digest('hex');
}

/** Expects the signatures of these secrets, in this order, and no others. */
export function expectSignedBy({ headers, body }: Received, secrets: readonly string[]): void {
  const { seconds, signatures } = readSignature(headers['x-signature']);
  expect(signatures).toEqual(secrets.map((secret) => signatureOf(secret, seconds, body)));
}
