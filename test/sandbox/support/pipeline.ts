import { connect, type Socket } from 'node:net';
import type { Partner } from './partner.js';

/** Several signed GET requests written at once on one connection, and the text that comes back. */
export class Pipeline {
  received = '';
  /** The connection is gone, from whichever side. */
  readonly closed: Promise<void>;
  readonly #socket: Socket;

  constructor(partner: Partner, paths: readonly string[]) {
    this.#socket = connect(Number(new URL(partner.url).port), '127.0.0.1');
    this.#socket.on('data', (chunk) => {
      this.received += chunk.toString('latin1');
    });
    this.closed = new Promise((resolve) => {
      this.#socket.on('error', () => {});
      this.#socket.on('close', () => resolve());
    });
    this.#socket.write(paths.map((path) => rawGet(partner, path)).join(''));
  }

  /** Status of each answer whose head has arrived. */
  statuses(): string[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1] ?? '');
  }

  /** Body of each answer, as far as it has arrived. */
  bodies(): string[] {
    const answers = this.received.split(/(?=HTTP\/1\.1 )/);
    return answers.map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4));
  }

  leave(): void {
    this.#socket.destroy();
  }
}

function rawGet(partner: Partner, path: string): string {
  const { headers } = partner.signed({ method: 'GET', path });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nHost: sandbox\r\n${lines.join('')}\r\n`;
}
