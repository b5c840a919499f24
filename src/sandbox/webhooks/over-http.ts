import { type ClientRequest, type IncomingMessage, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import type { Exchange } from './sender.js';

/** How much of an answer's body is read, in bytes and milliseconds, so that its sender can finish: nobody wants it. */
const BODY_BYTES = 64 * 1024;
const BODY_MS = 1_000;

/**
 * Sends over the network, on a connection of its own that is gone when the promise settles. The platform's fetch would leave one
 * behind: undici opens a new one in the place of one that it has cut off.
 */
export const overHttp: Exchange = ({ url, headers, body }, signal) => {
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
    // What breaks after the status changes nothing.
    request.on('close', () => (status === undefined ? reject(problem) : resolve(status)));
    request.end(body);
  });
};

/** Reads a body that is short, and cuts off any other. */
function discard(response: IncomingMessage, request: ClientRequest): void {
  let left = BODY_BYTES;
  const timer = setTimeout(() => request.destroy(), BODY_MS);
  response.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  response.on('error', () => {});
  response.on('close', () => clearTimeout(timer));
}
