// A queue of payouts in a directory: `inbox` has the new ones, `begun` those that may have been
// sent, and `done`, `rejected` and `unclear` those that are over. `unclear` needs a person.
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface Payout {
  readonly asset_symbol: string;
  /** Name of the saved withdrawal address. */
  readonly key: string;
  /** Decimal string. */
  readonly amount: string;
}

export interface Job {
  readonly id: string;
  readonly payout: Payout;
  /** Time before the first request, in ms since the epoch. Undefined if none was sent. */
  readonly begun?: number;
}

const FOLDERS = ['inbox', 'begun', 'done', 'rejected', 'unclear'] as const;

/** Time before a payout that was put back is taken again. */
const RETRY_MS = 30_000;

export class Queue {
  readonly #directory: string;
  /** By id, when the payout may be taken again; infinite while it is in progress. */
  readonly #notBefore = new Map<string, number>();

  private constructor(directory: string) {
    this.#directory = directory;
  }

  static async open(directory: string): Promise<Queue> {
    for (const folder of FOLDERS) await mkdir(join(directory, folder), { recursive: true });
    return new Queue(directory);
  }

  /** Takes a payout that nobody works on. Those that an earlier process has begun come first. */
  async take(): Promise<Job | undefined> {
    const id = (await this.left()).find((one) => (this.#notBefore.get(one) ?? 0) <= Date.now());
    if (id === undefined) return undefined;
    this.#notBefore.set(id, Number.POSITIVE_INFINITY);
    const job = (await this.#read<Job>('begun', id)) ?? { id, payout: await this.#read<Payout>('inbox', id) };
    if (job.payout !== undefined && (await this.#read('done', id)) === undefined) return job as Job;
    await this.#remove(id); // the process was killed between two steps, or somebody has put it in twice
    return this.take();
  }

  /** Ids of all payouts that are not over. */
  async left(): Promise<string[]> {
    return [...new Set([...(await this.list('begun')), ...(await this.list('inbox'))])];
  }

  async list(folder: (typeof FOLDERS)[number]): Promise<string[]> {
    const names = await readdir(join(this.#directory, folder));
    return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
  }

  /** Resolves when it is on the disk that the payout may have been sent from now on. */
  async begin(job: Job): Promise<Job> {
    if (job.begun !== undefined) return job;
    const begun = { ...job, begun: Date.now() };
    await this.#write('begun', job.id, begun);
    await rm(this.#path('inbox', job.id));
    return begun;
  }

  /**
   * Leaves the payout for a later time, or for the next process. `isNew`: it was certainly never
   * sent, so its next attempt is the first one.
   */
  async putBack({ id, payout }: Job, { isNew }: { isNew: boolean }): Promise<void> {
    if (isNew) {
      await this.#write('inbox', id, payout);
      await rm(this.#path('begun', id));
    }
    this.#notBefore.set(id, Date.now() + RETRY_MS);
  }

  /** Moves a payout that was begun in one step, so that a process that dies never leaves it in two folders. */
  async finish(job: Job, folder: 'done' | 'rejected' | 'unclear', result: object): Promise<void> {
    await rm(this.#path('inbox', job.id), { force: true });
    await this.#write('begun', job.id, { ...job, ...result });
    await rename(this.#path('begun', job.id), this.#path(folder, job.id));
  }

  async #remove(id: string): Promise<void> {
    for (const folder of ['inbox', 'begun'] as const) await rm(this.#path(folder, id), { force: true });
  }

  #path(folder: (typeof FOLDERS)[number], id: string): string {
    return join(this.#directory, folder, `${id}.json`);
  }

  async #read<T>(folder: (typeof FOLDERS)[number], id: string): Promise<T | undefined> {
    try {
      return JSON.parse(await readFile(this.#path(folder, id), 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Writes beside the file, then renames: a process that dies at any moment leaves a whole file. */
  async #write(folder: (typeof FOLDERS)[number], id: string, value: object): Promise<void> {
    const path = this.#path(folder, id);
    const file = await open(`${path}.new`, 'w');
    try {
      await file.writeFile(JSON.stringify(value));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
  }
}
