import { createHmac } from 'node:crypto';
import { vi } from 'vitest';
import type { WebhookVerificationReason } from '../../../src/webhooks/index.js';
import { ConfigurationError, WebhookVerificationError } from '../../../src/webhooks/index.js';

/** A delivery whose signature is known. */
export const VECTOR = {
  secret: 'dGVzdC1zZWNyZXQtcGxlYXNlLWlnbm9yZQ==',
  timestamp: 1734567890,
  body: '{"event_type":"webhook.test","message":"This is a test webhook event to verify your endpoint configuration."}',
  v1: '1ef668d4f2ef42f82d076fcdd4b6320d5d956df364588a36a00d1e3027744654',
} as const;

export const VECTOR_HEADER = `t=${VECTOR.timestamp},v1=${VECTOR.v1}`;

/** Stops the clock `seconds` after the vector was signed. `vi.useRealTimers()` lets it go again. */
export const stopClock = (seconds = 0): void =>
  void vi.setSystemTime(VECTOR.timestamp * 1000 + Math.round(seconds * 1000));

/** The signature by a second reading of the rule, so that the tests do not rest on the code under test. */
export function v1Of(body: string | Uint8Array, secret: string, timestamp: number): string {
  const key = Buffer.from(secret, 'base64');
  return createHmac('sha256', key)
    .update(Buffer.concat([Buffer.from(`${timestamp}.`), Buffer.from(body as string)]))
    .digest('hex');
}

/** A rightly signed delivery of this body, at the vector's time and with its secret. */
export function delivery(body: string | Uint8Array, headers: Record<string, string> = {}) {
  const v1 = v1Of(body, VECTOR.secret, VECTOR.timestamp);
  return { body, headers: { 'X-Signature': `t=${VECTOR.timestamp},v1=${v1}`, ...headers }, secret: VECTOR.secret };
}

/** Runs something that must be refused, and gives the refusal. */
export function refusal(run: () => unknown): WebhookVerificationError {
  const error = thrownBy(run);
  if (error instanceof WebhookVerificationError) return error;
  throw new Error('expected a WebhookVerificationError', { cause: error });
}

export function reasonOf(run: () => unknown): WebhookVerificationReason {
  return refusal(run).reason;
}

export function misuse(run: () => unknown): ConfigurationError {
  const error = thrownBy(run);
  if (error instanceof ConfigurationError) return error;
  throw new Error('expected a ConfigurationError', { cause: error });
}

export function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
