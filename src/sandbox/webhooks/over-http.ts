import { type ClientRequest, type IncomingMessage, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import type { PostRequest } from './sender.js';

/** Limits of an answer's body, which is read so its sender can finish. */
const MAX_BODY_BYTES = 64 * 1024;
const MAX_BODY_MS = 1_000;

/**
 * Sends over the network, on a connection of its own that is gone when the promise settles. With
 * the platform's fetch one would remain: undici opens a new connection in place of one that it has
 * cut.
 */
export const overHttp: PostRequest = ({ url, headers, body }, signal) => {
  const target = new URL(url);
  const send = target.protocol === 'https:' ? secure : plain;
  return new Promise((resolve, reject) => {
    const request = send(target, { method: 'POST', headers, agent: false, signal });
    let status: number | undefined;
    let problem: unknown = new Error('the connection ended without an answer');
    request.on('response', (response) => {
      status = response.statusCode;
      discard(response, request);
    });
    request.on('error', (error) => {
      problem = error;
    });
    // A failure after the status has no effect.
    request.on('close', () => (status === undefined ? reject(problem) : resolve(status)));
    request.end(body);
  });
};

function discard(response: IncomingMessage, request: ClientRequest): void {
  let left = MAX_BODY_BYTES;
  const timer = setTimeout(() => request.destroy(), MAX_BODY_MS);
  response.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  response.on('error', () => {});
  response.on('close', () => clearTimeout(timer));
}
