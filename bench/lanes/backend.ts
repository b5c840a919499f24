import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { LinkOptions } from '../../test/support/link.js';
import { reply, start } from './child.js';
import type { Behaviour, Counts } from './service.js';

/** What the backend's process is started with. */
export interface Setup {
  readonly behaviour: Behaviour;
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
  | { readonly id: 0; readonly url: string; readonly counts?: undefined }
  | { readonly id: number; readonly counts: Counts; readonly url?: undefined };

/** The link of E19 (`anchors.md`): a fresh connection costs as TLS would, chunks as a network does. */
export const LINK: LinkOptions = { fresh: [5, 85], jitter: 6 };

/** A service that takes 5 to 15 ms to answer and refuses nonces that arrive out of order. */
export const USUAL: Behaviour = { status: 200, answer: [5, 15], handling: 'together', nonces: 'rising' };

/** The service behind its link. */
export class Backend {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #pending = new Map<number, (counts: Counts) => void>();
  #asked = 0;

  private constructor(child: ChildProcess, url: string) {
    this.#process = child;
    this.url = url;
    child.on('message', ({ id, counts }: Answered) => {
      if (counts !== undefined) this.#pending.get(id)?.(counts);
      this.#pending.delete(id);
    });
  }

  static async start(setup: Setup): Promise<Backend> {
    const child = start('backend-process.ts', setup);
    const { url } = await reply<{ readonly url: string }>(child);
    return new Backend(child, url);
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
