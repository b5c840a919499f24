import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Http2EdgeOptions } from '../../test/support/edges/http2-edge.js';
import type { LinkOptions } from '../../test/support/link.js';
import { reply, start } from './child.js';
import type { Behaviour, Counts } from './service.js';

/** What the backend's process is started with. */
export interface Setup {
  readonly behaviour: Behaviour;
  /** An edge that speaks HTTP/2 over TLS. Absent: the service itself is reached, over HTTP/1.1. */
  readonly http2?: Http2EdgeOptions;
  /** Absent: the service is reached without a link. */
  readonly link?: LinkOptions;
}

/** What the bench asks of the backend's process. */
export interface Ask {
  readonly id: number;
  readonly prefix: string;
  readonly behave?: Behaviour;
}

/** What the backend's process says: its address first, then one answer for each question. */
export type Answered =
  | { readonly id: 0; readonly address: Address; readonly counts?: undefined }
  | { readonly id: number; readonly counts: Counts };

/** Where a backend is reached. */
export interface Address {
  readonly url: string;
  /** The authority of its certificate, in PEM. Absent: it speaks no TLS. */
  readonly ca?: string;
}

/** A fresh connection takes as long as one over TLS does far away; chunks are held as a restless network holds them. */
export const LINK: LinkOptions = { fresh: [5, 85], jitter: 6 };

/**
 * A service that takes 5 to 15 ms to answer, refuses nonces that arrive out of order, and handles the requests of a connection in turn.
 */
export const USUAL: Behaviour = { status: 200, answer: [5, 15], handling: 'in turn', nonces: 'rising' };

/** Over HTTP/2 the requests of one process arrive in their order, so that a refusal is the doing of another process. */
export const OVER_HTTP2: Setup = { behaviour: USUAL, link: LINK, http2: { handling: 'in order' } };

/** The service behind its link. */
export class Backend {
  readonly url: string;
  readonly address: Address;
  readonly #process: ChildProcess;
  readonly #pending = new Map<number, (counts: Counts) => void>();
  #asked = 0;

  private constructor(child: ChildProcess, address: Address) {
    this.#process = child;
    this.address = address;
    this.url = address.url;
    child.on('message', ({ id, counts }: Answered) => {
      if (counts !== undefined) this.#pending.get(id)?.(counts);
      this.#pending.delete(id);
    });
  }

  static async start(setup: Setup): Promise<Backend> {
    const child = start('backend-process.ts', setup);
    const { address } = await reply<{ readonly address: Address }>(child);
    return new Backend(child, address);
  }

  /** Answers so from now on. */
  async behave(behave: Behaviour): Promise<void> {
    await this.#ask({ prefix: '', behave });
  }

  /** What has arrived with the API keys that begin so. */
  counts(prefix: string): Promise<Counts> {
    return this.#ask({ prefix });
  }

  async stop(): Promise<void> {
    this.#process.disconnect();
    await once(this.#process, 'exit');
  }

  #ask(question: Omit<Ask, 'id'>): Promise<Counts> {
    const id = ++this.#asked;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.#process.send({ id, ...question });
    });
  }
}
