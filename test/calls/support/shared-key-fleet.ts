import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type ClientOptions, PartnerClient } from '../../../src/index.js';
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.js';
import type { CallKind, Order, Tally } from './shared-key-caller.js';

/** The calls of each process in one run. */
export interface Plan {
  readonly kind: CallKind;
  readonly calls: number;
  readonly atOnce: boolean;
}

/** The result of one run. */
export interface Run extends Tally {
  /** Writes that the service has applied. 0 for reads. */
  readonly applied: number;
}

export interface FleetOptions {
  readonly processes: number;
  /** The ms by which the clock of every other process is behind. */
  readonly behind: number;
}

/** Processes beside a sandbox. Each run uses an API key that none of them has used before. */
export class Fleet implements AsyncDisposable {
  readonly #children: readonly ChildProcess[];
  readonly #sandbox: Sandbox;
  readonly #baseUrl: string;
  /** A client with an API key of its own, which counts what was written. */
  readonly #auditor: PartnerClient;
  #runs = 0;

  private constructor(children: readonly ChildProcess[], sandbox: Sandbox, baseUrl: string) {
    this.#children = children;
    this.#sandbox = sandbox;
    this.#baseUrl = baseUrl;
    this.#auditor = new PartnerClient({ baseUrl, ...sandbox.credentials });
  }

  /** @param program The built `shared-key-caller.ts`. */
  static async start(program: string, { processes, behind }: FleetOptions): Promise<Fleet> {
    const sandbox = createSandbox({ seed: 1, realTime: true });
    const { url } = await sandbox.listen();
    const children = Array.from({ length: processes }, (_, index) => fork(program, [String(index % 2 ? behind : 0)]));
    const fleet = new Fleet(children, sandbox, url);
    await Promise.all(children.map((child) => reply<'ready'>(child)));
    return fleet;
  }

  /** All processes make their calls at the same time. */
  async run({ kind, calls, atOnce }: Plan, options: ClientOptions): Promise<Run> {
    // A sandbox keeps the newest verifications of a user alone.
    this.#sandbox.reset();
    const { userId, accountId, methodId } = this.#sandbox.fixtures;
    const credentials = this.#newCredentials();
    const order: Order = {
      options: { baseUrl: this.#baseUrl, ...credentials, ...options },
      kind,
      calls,
      atOnce,
      userId,
      accountId,
      methodId,
    };
    const before = await this.#written(kind);
    const replies = this.#children.map((child) => reply<Tally>(child));
    for (const child of this.#children) child.send(order);
    const tally = sumOf(await Promise.all(replies));
    return { ...tally, applied: (await this.#written(kind)) - before };
  }

  /** A sandbox issues the same API keys again after each reset: this run takes the first that no other had. */
  #newCredentials(): Sandbox['credentials'] {
    let credentials = this.#sandbox.keys.issue();
    for (let issued = 0; issued < this.#runs; issued++) credentials = this.#sandbox.keys.issue();
    this.#runs++;
    return credentials;
  }

  async #written(kind: CallKind): Promise<number> {
    const { userId, accountId } = this.#sandbox.fixtures;
    if (kind === 'unkeyed write') return (await this.#auditor.users.verifications.list(userId)).length;
    if (kind === 'read') return 0;
    const addresses = this.#auditor.funds.withdrawalAddresses.list(accountId, { page_size: 100 });
    return (await addresses.toArray({ limit: 100_000 })).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ends = this.#children.map((child) => once(child, 'exit'));
    for (const child of this.#children) child.kill();
    await Promise.all([...ends, this.#auditor.close(), this.#sandbox.close()]);
  }
}

/** The next message of a process; rejects when the process ends instead. */
async function reply<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController();
  const gone = () => ended.abort(new Error('a process of the fleet ended: see what it wrote'));
  child.once('exit', gone);
  try {
    const [message] = (await once(child, 'message', { signal: ended.signal })) as [T];
    return message;
  } finally {
    child.off('exit', gone);
  }
}

/** The tallies of all processes, or runs, as one. */
export function sumOf(tallies: readonly Tally[]): Tally {
  const failed: Record<string, number> = {};
  let [succeeded, requests, slowest] = [0, 0, 0];
  for (const tally of tallies) {
    succeeded += tally.succeeded;
    requests += tally.requests;
    slowest = Math.max(slowest, tally.slowest);
    for (const [what, count] of Object.entries(tally.failed)) failed[what] = (failed[what] ?? 0) + count;
  }
  return { succeeded, failed, requests, slowest };
}
