import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Answer {
  /** Default 200. */
  readonly status?: number;
  /** Over HTTP/2 `connection: close` is what means the same there: the session takes no further request (GOAWAY). */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Milliseconds before the head is written. */
  readonly delay?: number;
  /** The head is not written before this settles. */
  readonly hold?: Promise<unknown>;
  /**
   * `reset`: the request is read, then the connection is reset; `silent`: no answer, ever; `cut`: head and a part of the
   * body, then the connection ends; `stall`: the same, then silence. Over HTTP/2 `cut` resets the stream, and no other.
   */
  readonly fault?: 'reset' | 'silent' | 'cut' | 'stall';
  /** The body without `content-length`, in chunks. */
  readonly chunked?: boolean;
  /** The body goes out in so many pieces with so many milliseconds after each. */
  readonly trickle?: { readonly pieces: number; readonly every: number };
  /** A `103 Early Hints` before the answer. */
  readonly hints?: boolean;
  /** These bytes instead of an answer. HTTP/1.1 only. */
  readonly raw?: string;
  /** Milliseconds after each of the raw bytes. Default: all at once. */
  readonly rawEvery?: number;
}

export type Responding = ServerResponse | Http2ServerResponse;

const HINTS = { link: '</a.css>; rel=preload' };

export async function give(answer: Answer, responding: Responding, socket: Socket): Promise<void> {
  if (answer.fault === 'silent') return;
  if (answer.delay !== undefined) await sleep(answer.delay);
  await answer.hold;
  if (answer.hints) await giveHints(responding);
  if (answer.fault === 'reset') {
    if (answer.hints) await sleep(20);
    socket.resetAndDestroy();
    return;
  }
  if (answer.raw !== undefined) {
    const pieces = answer.rawEvery === undefined ? [answer.raw] : answer.raw;
    for (const piece of pieces) {
      if (!socket.destroyed) socket.write(piece);
      if (answer.rawEvery !== undefined) await sleep(answer.rawEvery);
    }
    return;
  }
  const body = Buffer.from(answer.body ?? '');
  const status = answer.status ?? 200;
  const bodiless = status === 204 || status === 304;
  const length = answer.chunked || bodiless ? {} : { 'content-length': String(body.length) };
  // What is used of the two kinds of answers is the same.
  const response = responding as ServerResponse;
  response.writeHead(status, { ...length, ...headersFor(responding, answer) });
  if (answer.fault !== undefined) {
    response.flushHeaders();
    const part = body.subarray(0, Math.floor(body.length / 2));
    await new Promise<unknown>((done) => (part.length > 0 ? response.write(part, done) : setImmediate(done)));
    await sleep(20);
    if (answer.fault === 'cut') cut(responding, socket);
    return;
  }
  if (answer.trickle !== undefined) {
    const size = Math.max(1, Math.ceil(body.length / answer.trickle.pieces));
    for (let from = 0; from < body.length && !isGone(responding, socket); from += size) {
      response.write(body.subarray(from, from + size));
      await sleep(answer.trickle.every);
    }
    response.end();
    return;
  }
  if (answer.chunked) {
    for (let from = 0; from < body.length && !isGone(responding, socket); from += 16_384) {
      await new Promise((done) => response.write(body.subarray(from, from + 16_384), done));
    }
    response.end();
    return;
  }
  response.end(bodiless ? undefined : body);
}

const isHttp2 = (response: Responding): response is Http2ServerResponse => 'stream' in response;

/** HTTP/2 has no headers that belong to the connection. */
function headersFor(response: Responding, { headers = {} }: Answer): Readonly<Record<string, string>> {
  if (!isHttp2(response)) return headers;
  if (headers['connection'] === 'close') response.stream.session?.close();
  const ofConnection = new Set(['connection', 'keep-alive']);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)));
}

async function giveHints(response: Responding): Promise<void> {
  if (isHttp2(response)) response.stream.additionalHeaders({ ':status': 103, ...HINTS });
  else await new Promise<void>((done) => response.writeEarlyHints(HINTS, done));
}

function cut(response: Responding, socket: Socket): void {
  const internalError = 2;
  if (isHttp2(response)) response.stream.close(internalError);
  else socket.destroy();
}

function isGone(response: Responding, socket: Socket): boolean {
  return socket.destroyed || (isHttp2(response) && response.stream.destroyed);
}
