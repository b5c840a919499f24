import { type ClientRequest, type IncomingMessage, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { MAX_ANSWER_BYTES, MAX_ANSWER_MS, type PostRequest } from './sender.js';

/** An answer's body is read up to here, so its sender can finish. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Sends over the network, on a connection of its own that is gone when the promise settles. With
 * the platform's fetch one would remain: undici opens a new connection in place of one that it has
 * cut.
 */
export const overHttp: PostRequest = ({ url, headers, body, readsAnswer = false }, signal) => {
  const target = new URL(url);
  const send = target.protocol === 'https:' ? secure : plain;
  return new Promise((resolve, reject) => {
    const request = send(target, { method: 'POST', headers, agent: false, signal });
    let status: number | undefined;
    let problem: unknown = new Error('the connection ended without an answer');
    const kept: Buffer[] = [];
    request.on('response', (response) => {
      status = response.statusCode;
      readInto(readsAnswer ? kept : [], response, request);
    });
    request.on('error', (error) => {
      problem = error;
    });
    // A failure after the status has no effect.
    request.on('close', () => {
      if (status === undefined) reject(problem);
      else resolve({ status, body: Buffer.concat(kept).subarray(0, MAX_ANSWER_BYTES).toString('utf8') });
    });
    request.end(body);
  });
};

function readInto(kept: Buffer[], response: IncomingMessage, request: ClientRequest): void {
  let left = MAX_BODY_BYTES;
  const timer = setTimeout(() => request.destroy(), MAX_ANSWER_MS);
  response.on('data', (chunk: Buffer) => {
    if (left > MAX_BODY_BYTES - MAX_ANSWER_BYTES) kept.push(chunk);
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  response.on('error', () => {});
  response.on('close', () => clearTimeout(timer));
}
