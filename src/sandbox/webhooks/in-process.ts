import type { PlatformRequest, PlatformResponse } from '../../util/platform.js';
import type { PostRequest } from './sender.js';

/** A function like `fetch` that takes deliveries. */
export type Deliver = (request: PlatformRequest) => PlatformResponse | PromiseLike<PlatformResponse>;

/** Hands requests to an application's function. */
export function inProcess(deliver: Deliver): PostRequest {
  /** Held on purpose: a platform forgets to abort a `Request` that is no longer referenced. */
  const underWay = new Set<PlatformRequest>();
  return async ({ url, headers, body }, signal) => {
    const request = new Request(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    underWay.add(request);
    try {
      const answer = await deliver(request);
      discard(answer);
      return statusOf(answer);
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

function statusOf(answer: PlatformResponse): number {
  // By its tag: it may be a `Response` of another copy of fetch.
  const isResponse = Object.prototype.toString.call(answer) === '[object Response]';
  if (!isResponse) throw new TypeError('deliver gave no Response');
  // The standard's "network error". A platform's fetch never returns it.
  if (answer.type === 'error') throw new TypeError('the connection was lost');
  return answer.status;
}
