import { reasonOf } from './failure.js';
import type { StateFile } from './state-file.js';

/** How long changes gather before they are saved, in milliseconds. */
const DELAY = 500;

/** Saves what changes, never twice at the same time. */
export class Keeper {
  readonly #file: StateFile;
  readonly #read: () => unknown;
  readonly #report: (problem: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();

  /** `read` gives the value to save; a save that fails while the sandbox runs goes to `report`, and the next change tries again. */
  constructor(file: StateFile, read: () => unknown, report: (problem: string) => void) {
    this.#file = file;
    this.#read = read;
    this.#report = report;
  }

  /** Rejects when the file cannot be written. */
  save(): Promise<void> {
    const saved = this.#saving.then(() => this.#file.save(this.#read()));
    this.#saving = saved.catch(() => {});
    return saved;
  }

  /** Something is different: it is saved within a second. */
  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.save()
        .catch((error) => this.#report(reasonOf(error)))
        .finally(() => {
          this.#timer = undefined;
        });
    }, DELAY);
  }

  /** Saves for the last time and gives the file free. Rejects when it cannot be written. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.save();
    this.#file.close();
  }
}
