import type { RequestDetails } from '../../wire/sandbox.js';

/** Members that a program needs to send a request once more. */
export interface Sendable {
  readonly method: string;
  readonly path: string;
  /** Undefined: none. */
  readonly body: string | undefined;
  readonly contentType: string | undefined;
  readonly key: string | undefined;
  readonly hasOtp: boolean;
}

/** As the sandbox clips paths. */
const MAX_PATH_LENGTH = 4_096;

/** Returns what was sent, or a sentence that says why it cannot be told exactly. */
export function sendableOf({ method, path, request }: RequestDetails): Sendable | string {
  if (request === undefined) return 'What was sent is not kept any more: only the newest 1,000 requests have it.';
  if (path.length > MAX_PATH_LENGTH) return 'Only the first part of the path is kept.';
  const { body, headers } = request;
  if (body === undefined) return 'The body did not arrive as a whole.';
  if (body.isCut) return `Only the first part of the body is kept, of ${body.bytes} bytes.`;
  if (body.text === undefined || body.text.includes('\0')) return 'The body is not text.';
  return {
    method,
    path,
    body: body.bytes === 0 ? undefined : body.text,
    contentType: headers['content-type'],
    key: headers['idempotency-key'],
    hasOtp: headers['api-otp'] !== undefined,
  };
}
