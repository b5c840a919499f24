import type { ServerResponse } from 'node:http';
import { constants, type Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import { BODILESS, type ConnectionAction, type HttpAnswer } from '../core/request/messages.js';
import { firstHalf, type OwnedTimers, Trickle } from './pacing.js';

export type Reply = ServerResponse | Http2ServerResponse;

/** The common members of both: their overloads have no common type in TypeScript. */
interface Writable {
  writeHead(status: number, headers: Readonly<Record<string, string | number>>): unknown;
  write(piece: Uint8Array, onWritten?: () => void): boolean;
  end(text: string): unknown;
  once(event: 'close' | 'socket', listener: () => void): unknown;
}

export function isHttp2(response: Reply): response is Http2ServerResponse {
  return 'stream' in response;
}

export function act(action: ConnectionAction, response: Reply, timers: OwnedTimers): void {
  switch (action.kind) {
    case 'answer':
      write(action.answer, response).end(action.answer.body);
      return;
    case 'cut':
      atItsTurn(response, () => {
        write(action.answer, response).write(firstHalf(action.answer.body), () => breakOff(response));
      });
      return;
    case 'slow':
      atItsTurn(response, () => {
        const written = write(action.answer, response);
        if (!isHttp2(response)) response.flushHeaders();
        trickle(new Trickle(action.answer.body, action.bytesPerSecond), written, timers);
      });
      return;
    case 'reset':
      atItsTurn(response, () => reset(response));
      return;
    case 'silence':
      return;
  }
}

/** Writes the head; the caller writes the body. */
export function write({ status, headers, body }: HttpAnswer, response: Reply): Writable {
  const writable: Writable = response;
  // A 205 needs the length 0, otherwise only the end of the connection would end it. A 204 must not
  // have a length, a 304 needs none.
  const isBodiless = BODILESS.includes(status) && status !== 205;
  writable.writeHead(status, isBodiless ? headers : { ...headers, 'content-length': Buffer.byteLength(body) });
  return writable;
}

/** Sends a body byte by byte, until the client disconnects or the timers are cancelled. */
function trickle(body: Trickle, response: Writable, timers: OwnedTimers): void {
  let cancel = (): void => {};
  response.once('close', () => cancel());
  const next = (): void => {
    if (body.done) {
      response.end('');
      return;
    }
    cancel = timers.after(body.wait(), () => {
      response.write(body.take());
      next();
    });
  };
  next();
}

/** On a pipelined connection, earlier responses must be sent before a broken or slow one. */
function atItsTurn(response: Reply, run: () => void): void {
  if (isHttp2(response) || response.socket) run();
  else response.once('socket', run);
}

/** Breaks a response off: resets the connection, or only the stream of HTTP/2. */
function breakOff(response: Reply): void {
  if (isHttp2(response)) resetStream(response);
  else response.destroy();
}

function reset(response: Reply): void {
  if (isHttp2(response)) resetStream(response);
  else resetSocket(response.socket);
}

/** Resets the stream like a proxy whose connection to the service breaks. */
function resetStream({ stream }: Http2ServerResponse): void {
  stream.close(constants.NGHTTP2_INTERNAL_ERROR);
}

/** Node never closes a socket that is reset while it ends. A TLS connection cannot be reset. */
function resetSocket(socket: Socket | null): void {
  if (socket?.writableEnded || (socket !== null && 'encrypted' in socket)) socket.destroy();
  else socket?.resetAndDestroy();
}
