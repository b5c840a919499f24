import { type ClientRequest, type IncomingMessage, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { MAX_ANSWER_MS, type PostRequest, type ReceivedAnswer } from './sender.js';

/** Maximum number of bytes read of a response, so that its sender can finish. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Sends over the network on a new connection, which is closed when the promise settles. With the
 * platform's fetch one would remain: undici replaces a connection that it has closed.
 */
export const overHttp: PostRequest = ({ url, headers, body, readBytes = 0 }, signal) => {
  const target = new URL(url);
  const send = target.protocol === 'https:' ? secure : plain;
  return new Promise((resolve, reject) => {
    const request = send(target, { method: 'POST', headers, agent: false, signal });
    let head: Omit<ReceivedAnswer, 'body'> | undefined;
    let problem: unknown = new Error('the connection ended without a response');
    const kept: Buffer[] = [];
    request.on('response', (response) => {
      head = { status: response.statusCode ?? 0, headers: headersOf(response) };
      readInto(kept, readBytes, response, request);
    });
    request.on('error', (error) => {
      problem = error;
    });
    // A failure after the status line has no effect.
    request.on('close', () => {
      if (head === undefined) reject(problem);
      else resolve({ ...head, body: Buffer.concat(kept).subarray(0, readBytes).toString('utf8') });
    });
    request.end(body);
  });
};

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function readInto(kept: Buffer[], keptBytes: number, response: IncomingMessage, request: ClientRequest): void {
  let left = MAX_BODY_BYTES;
  const timer = setTimeout(() => request.destroy(), MAX_ANSWER_MS);
  response.on('data', (chunk: Buffer) => {
    if (left > MAX_BODY_BYTES - keptBytes) kept.push(chunk);
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  response.on('error', () => {});
  response.on('close', () => clearTimeout(timer));
}
