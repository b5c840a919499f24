import type { PlatformRequest, PlatformResponse } from '../../../util/platform.js';
import { MAX_ANSWER_MS, type PostRequest } from './sender.js';

/** A function like `fetch` that receives deliveries. */
export type Deliver = (request: PlatformRequest) => PlatformResponse | PromiseLike<PlatformResponse>;

/** Passes requests to an application's function. */
export function inProcess(deliver: Deliver): PostRequest {
  /** Keeps references: some platforms do not abort a `Request` that is no longer referenced. */
  const underWay = new Set<PlatformRequest>();
  return async ({ url, headers, body, readBytes = 0 }, signal) => {
    const request = new Request(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    underWay.add(request);
    try {
      const answer = await deliver(request);
      const reads = readBytes > 0 && !signal.aborted;
      if (!reads) discard(answer);
      const status = statusOf(answer);
      if (!reads) return { status, headers: {}, body: '' };
      return { status, headers: Object.fromEntries(answer.headers), body: await startOf(answer, readBytes) };
    } finally {
      underWay.delete(request);
    }
  };
}

/** Discards a body. A body that was read already cannot be cancelled, which does no harm. */
async function discard(answer: PlatformResponse): Promise<void> {
  try {
    await answer.body?.cancel();
  } catch {}
}

/** Returns the start of a body; `''` if it was read already, or cannot be read. */
async function startOf({ body }: PlatformResponse, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  try {
    const reader = body?.getReader();
    if (reader !== undefined) await readInto(parts, maxBytes, reader);
  } catch {
    // What was read before is shown.
  }
  return Buffer.concat(parts).subarray(0, maxBytes).toString('utf8');
}

/** Cancels a body that is too long or does not end in time. */
async function readInto(
  parts: Uint8Array[],
  maxBytes: number,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<void> {
  const cancel = (): void => void reader.cancel().catch(() => {});
  const timer = setTimeout(cancel, MAX_ANSWER_MS);
  try {
    let length = 0;
    for (let part = await reader.read(); !part.done && length < maxBytes; part = await reader.read()) {
      parts.push(part.value);
      length += part.value.length;
    }
  } finally {
    clearTimeout(timer);
    cancel();
  }
}

function statusOf(answer: PlatformResponse): number {
  // Compares the tag, since it may be a `Response` of another fetch implementation.
  const isResponse = Object.prototype.toString.call(answer) === '[object Response]';
  if (!isResponse) throw new TypeError('deliver gave no Response');
  // The standard's "network error", which a platform's fetch never returns.
  if (answer.type === 'error') throw new TypeError('the connection was lost');
  return answer.status;
}
