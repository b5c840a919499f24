import { request as askHttp } from 'node:http';
import { connect } from 'node:http2';
import { request as askHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';

interface Address {
  readonly url: string;
  /** Of a sandbox with TLS. */
  readonly ca?: string | undefined;
}

const PATH = '/_sandbox/events';

/** Opens the stream of events over HTTP/1.1, with or without TLS. Nothing is read yet. */
export function openOverHttp1({ url, ca }: Address, query = ''): Promise<Readable> {
  return new Promise((resolve, reject) => {
    const ask = ca === undefined ? askHttp : askHttps;
    const options = { agent: false, ...(ca === undefined ? {} : { ca }) };
    const asked = ask(url + PATH + query, options, (answer) => {
      // The end of a client that goes away is an error of its own stream.
      resolve(answer.on('error', () => {}));
    });
    asked.on('error', reject).end();
    onTestFinished(() => {
      asked.destroy();
    });
  });
}

export async function openOverHttp2({ url, ca }: Address, query = ''): Promise<Readable> {
  const session = connect(url, ca === undefined ? {} : { ca });
  session.on('error', () => {});
  onTestFinished(() => session.destroy());
  return session.request({ ':path': PATH + query }).on('error', () => {});
}

/** Reads until a pattern is there, and returns what was read since. At the end: all the rest. */
export async function readUntil(stream: Readable, pattern: RegExp): Promise<string> {
  let text = '';
  stream.setEncoding('utf8');
  while (!pattern.test(text)) {
    const part: string | null = stream.read();
    if (part !== null) text += part;
    else if (stream.readableEnded || stream.destroyed) return text;
    else await arrival(stream);
  }
  return text;
}

function arrival(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    const events = ['readable', 'end', 'close'];
    const go = (): void => {
      for (const event of events) stream.off(event, go);
      resolve();
    };
    for (const event of events) stream.on(event, go);
  });
}
