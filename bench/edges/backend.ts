import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { reply, start } from './child.js';
import type { Behaviour, Counts } from './service.js';

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

/** The service, in a process of its own. */
export class Backend {
  readonly address: Address;
  readonly #process: ChildProcess;
  readonly #pending = new Map<number, (counts: Counts) => void>();
  #asked = 0;

  private constructor(child: ChildProcess, address: Address) {
    this.#process = child;
    this.address = address;
    child.on('message', ({ id, counts }: Answered) => {
      if (counts !== undefined) this.#pending.get(id)?.(counts);
      this.#pending.delete(id);
    });
  }

  static async start(behaviour: Behaviour): Promise<Backend> {
    const child = start('backend-process.ts', behaviour);
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
