import type { NodeWebhookRequest } from './node-body.js';
import { type Answer, headersOf } from './receive.js';

/** What is needed of Node's `ServerResponse`, so of Express's `res` and Fastify's `reply.raw`. */
export interface NodeWebhookResponse {
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  write?(text: string, written: () => void): unknown;
  end(text: string): unknown;
}

/** How long a sender whose body is not wanted may go on sending, in ms. */
const MAX_LINGER_MS = 2_000;

/** Answers a request, whether its body has been read or not. */
export async function writeAnswer(
  request: NodeWebhookRequest,
  response: NodeWebhookResponse,
  answer: Answer,
): Promise<void> {
  // A small body often comes with its head: Node has read both by the end of this turn of the loop.
  if (isStillSent(request)) await new Promise((resolve) => setImmediate(resolve));
  // The sender went away, or the program has answered in the meantime (a time limit of its own).
  if (response.destroyed || response.headersSent) return;
  if (isStillSent(request) && response.write !== undefined) {
    closeAfter(request, response, answer);
  } else {
    response.writeHead(answer.status, headersOf(answer));
    response.end(answer.word);
  }
}

/**
 * Only HTTP/1 needs its connection closed when a body is not wanted. There may be no request at all, only an answer to
 * write.
 */
function isStillSent(request: NodeWebhookRequest | undefined): boolean {
  return request?.httpVersionMajor === 1 && request.complete === false;
}

/**
 * Answers at once and closes our side of the connection. What the sender still sends is thrown away until it stops. If
 * we closed both sides at once, its system would report a broken connection, and the sender might never read the
 * answer.
 */
function closeAfter(request: NodeWebhookRequest, response: NodeWebhookResponse, answer: Answer): void {
  const { status, word } = answer;
  const end = (): void => {
    clearTimeout(timer);
    request.off?.('close', end);
    // Closes the connection, since the head has said so.
    response.end('');
  };
  const timer = setTimeout(end, MAX_LINGER_MS);
  timer.unref?.();
  request.on?.('close', end);
  response.writeHead(status, { ...headersOf(answer), connection: 'close', 'content-length': `${word.length}` });
  response.write?.(word, () => request.socket?.end());
  request.resume?.();
}
