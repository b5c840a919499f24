import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Address, Backend } from './backend.js';
import { reply, start } from './child.js';
import type { Load } from './loads.js';
import type { Behaviour, Counts } from './service.js';
import type { SubjectName } from './subjects.js';
import type { Tallied } from './tally.js';

/** What the process of the clients is told. */
export interface Task {
  readonly load: Load;
  /** Absent: with the clients of the last load. */
  readonly clients?: {
    readonly subject: SubjectName;
    readonly address: Address;
    /** One for each. */
    readonly apiKeys: readonly string[];
  };
}

/** What came of a load, as the clients' process saw it. */
export interface ClientResult extends Tallied {
  /** The most tokens of a retry budget that were taken at once. */
  readonly budgetSpent: number;
  /** Attempts beyond the first of each call, of the first client. */
  readonly retries: number;
  /** What the first client shows of its lane at the end. */
  readonly way: string | undefined;
  readonly gap: number | undefined;
  readonly connections: number | undefined;
}

/** What the process of the clients says. */
export interface Said {
  readonly ready?: true;
  readonly half?: true;
  readonly result?: ClientResult;
  readonly error?: string;
}

/** What came of a load, as both sides saw it. */
export interface Result extends ClientResult {
  /** Requests, and refusals for the nonce, that the service counted: in all, and since the first half was over. */
  readonly service: Counts;
  readonly serviceSettled: Counts;
}

let keys = 0;

/** Clients in a process of their own. */
export class Measured {
  readonly #process: ChildProcess;
  readonly #backend: Backend;
  #prefix = '';

  private constructor(process: ChildProcess, backend: Backend) {
    this.#process = process;
    this.#backend = backend;
  }

  static async start(backend: Backend): Promise<Measured> {
    const child = start('client-process.ts', null);
    await reply<Said>(child);
    return new Measured(child, backend);
  }

  /** Makes the calls with clients that nobody has used before, while the service behaves so. */
  async run(subject: SubjectName, address: Address, load: Load, behaviour: Behaviour): Promise<Result> {
    const nonces = subject === 'pool' ? 'any' : behaviour.nonces;
    await this.#backend.behave({ ...behaviour, nonces });
    this.#prefix = `key-${keys++}-`;
    const count = load.kind === 'pauses' ? load.clients : 1;
    const apiKeys = Array.from({ length: count }, (_, index) => `${this.#prefix}${index}`);
    return this.#ask({ load, clients: { subject, address, apiKeys } });
  }

  /** Makes calls with the same clients. */
  again(load: Load): Promise<Result> {
    return this.#ask({ load });
  }

  async stop(): Promise<void> {
    this.#process.disconnect();
    await once(this.#process, 'exit');
  }

  async #ask(task: Task): Promise<Result> {
    const before = await this.#backend.counts(this.#prefix);
    let half = before;
    this.#process.send(task);
    for (;;) {
      const said = await reply<Said>(this.#process);
      if (said.error !== undefined) throw new Error(said.error);
      if (said.half) half = await this.#backend.counts(this.#prefix);
      if (said.result === undefined) continue;
      const after = await this.#backend.counts(this.#prefix);
      return { ...said.result, service: since(before, after), serviceSettled: since(half, after) };
    }
  }
}

const since = (before: Counts, after: Counts): Counts => ({
  requests: after.requests - before.requests,
  refused: after.refused - before.refused,
  connections: after.connections - before.connections,
});

/** Makes loads, each with clients that nobody has used before: in fresh processes, or in one for all. */
export class Measurer {
  readonly #backend: Backend;
  readonly #inOneProcess: boolean;
  #kept: Promise<Measured> | undefined;

  constructor(backend: Backend, inOneProcess: boolean) {
    this.#backend = backend;
    this.#inOneProcess = inOneProcess;
  }

  async run(subject: SubjectName, address: Address, load: Load, behaviour: Behaviour): Promise<Result> {
    if (this.#inOneProcess) {
      this.#kept ??= Measured.start(this.#backend);
      return (await this.#kept).run(subject, address, load, behaviour);
    }
    const measured = await Measured.start(this.#backend);
    const result = await measured.run(subject, address, load, behaviour);
    await measured.stop();
    return result;
  }

  async stop(): Promise<void> {
    await (await this.#kept)?.stop();
  }
}
