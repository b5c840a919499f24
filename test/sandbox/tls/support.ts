import { connect } from 'node:http2';
import { request } from 'node:https';
import { onTestFinished } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../../src/sandbox/index.js';
import { LOCAL } from '../../support/tls.js';
import { Partner, type TestRequest } from '../support/partner.js';

export const PROTOCOLS = ['HTTP/2', 'HTTP/1.1'] as const;
type Protocol = (typeof PROTOCOLS)[number];

/** What has arrived of an answer, and the code of the error that ended it. */
export interface Arrived {
  status: number | undefined;
  body: string;
  error?: string;
}

/** A sandbox with TLS. */
export async function secureSandbox(options: SandboxOptions = {}) {
  const sandbox = createSandbox(options);
  onTestFinished(() => sandbox.close());
  const { url } = await sandbox.listen({ tls: LOCAL });
  const ca = LOCAL.cert;
  const partner = new Partner(sandbox, url);
  /** Sends a signed request by one of the protocols. */
  const ask = (protocol: Protocol, wanted: TestRequest): Promise<Arrived> => {
    const { method, path, headers, bytes } = partner.signed(wanted);
    const over = protocol === 'HTTP/2' ? overHttp2 : overHttp1;
    return over({ url, ca, method, path, headers, bytes });
  };
  return { sandbox, partner, url, ca, ask };
}

interface Sent {
  readonly url: string;
  readonly ca: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array | undefined;
}

export function overHttp2({ url, ca, method, path, headers, bytes }: Sent): Promise<Arrived> {
  return new Promise((resolve) => {
    const arrived: Arrived = { status: undefined, body: '' };
    const session = connect(url, { ca });
    const end = (error?: NodeJS.ErrnoException): void => {
      session.destroy();
      resolve(error === undefined ? arrived : { ...arrived, error: error.message });
    };
    session.on('error', end);
    const stream = session.request({ ':method': method, ':path': path, ...headers });
    stream.on('response', (head) => {
      arrived.status = head[':status'];
    });
    stream.setEncoding('utf8').on('data', (text) => {
      arrived.body += text;
    });
    stream.on('error', end);
    stream.on('end', () => end());
    stream.end(bytes);
  });
}

export function overHttp1({ url, ca, method, path, headers, bytes }: Sent): Promise<Arrived> {
  return new Promise((resolve) => {
    const arrived: Arrived = { status: undefined, body: '' };
    const fail = (error: NodeJS.ErrnoException): void => resolve({ ...arrived, error: error.code ?? error.message });
    const asked = request(url + path, { method, headers, ca, agent: false, servername: '' }, (answer) => {
      arrived.status = answer.statusCode;
      answer.setEncoding('utf8').on('data', (text) => {
        arrived.body += text;
      });
      answer.on('error', fail).on('end', () => resolve(arrived));
    });
    asked.on('error', fail).end(bytes);
  });
}
