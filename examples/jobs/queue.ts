// A queue of payouts in a directory: `inbox` has the new ones, `begun` those that may have been
// sent, and `done`, `rejected` and `unclear` those that are over. `unclear` needs a person.
import { access, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
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

type Folder = (typeof FOLDERS)[number];

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
    return (await this.#find(id)) ?? this.take();
  }

  /** Returns undefined if the payout is over, because somebody has put it in twice, or if nobody can read it. */
  async #find(id: string): Promise<Job | undefined> {
    // The service may have forgotten the idempotency key by now, so a second time would be a second payout.
    for (const folder of ['done', 'unclear'] as const) {
      if (!(await this.#has(folder, id))) continue;
      console.error(`${id} is not sent, because it is in ${folder}`);
      return this.#remove(id);
    }
    for (const folder of ['begun', 'inbox'] as const) {
      if (!(await this.#has(folder, id))) continue;
      try {
        const file = JSON.parse(await readFile(this.#path(folder, id), 'utf8'));
        return folder === 'begun' ? file : { id, payout: file };
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        // It must not keep the other payouts from being made.
        console.error(`${id} is unclear, because its file can't be read: ${error}`);
        return this.#move(folder, 'unclear', id);
      }
    }
    return undefined;
  }

  /** Ids of all payouts that are not over. */
  async left(): Promise<string[]> {
    return [...new Set([...(await this.list('begun')), ...(await this.list('inbox'))])];
  }

  async list(folder: Folder): Promise<string[]> {
    const names = await readdir(join(this.#directory, folder));
    return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
  }

  /** Resolves when it is on the disk that the payout may have been sent from now on. */
  async begin(job: Job): Promise<Job> {
    if (job.begun !== undefined) return job;
    const begun = { ...job, begun: Date.now() };
    await this.#write('begun', job.id, begun);
    await rm(this.#path('inbox', job.id)); // fails if another process has taken it as well
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
    // A rejected payout that was put in again: if it stayed there, somebody could pay it under another id.
    for (const other of ['inbox', 'rejected'] as const) await rm(this.#path(other, job.id), { force: true });
    await this.#write('begun', job.id, { ...job, ...result });
    await this.#move('begun', folder, job.id);
  }

  async #remove(id: string): Promise<undefined> {
    for (const folder of ['inbox', 'begun'] as const) await rm(this.#path(folder, id), { force: true });
  }

  async #move(from: Folder, to: Folder, id: string): Promise<undefined> {
    await rename(this.#path(from, id), this.#path(to, id));
    await this.#sync(to);
  }

  #path(folder: Folder, id: string): string {
    return join(this.#directory, folder, `${id}.json`);
  }

  async #has(folder: Folder, id: string): Promise<boolean> {
    try {
      await access(this.#path(folder, id));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }

  /** Writes beside the file, then renames: a process that dies at any moment leaves a whole file. */
  async #write(folder: Folder, id: string, value: object): Promise<void> {
    const path = join(this.#directory, folder, `${id}.new`); // not longer than the name of the file
    const file = await open(path, 'w');
    try {
      await file.writeFile(JSON.stringify(value));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path, this.#path(folder, id));
    await this.#sync(folder);
  }

  /** A new name survives a power cut when its folder is on the disk, too. Windows can't open a folder. */
  async #sync(folder: Folder): Promise<void> {
    if (process.platform === 'win32') return;
    const directory = await open(join(this.#directory, folder));
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  }
}
