import { reasonOf } from './failure.js';
import { type StateFile, TakenOver } from './state-file.js';

/** How long changes gather before they are saved, in milliseconds. */
const GATHER_MS = 500;

/** The shortest time from the beginning of a save to that of the next, in milliseconds. */
const INTERVAL_MS = 1_000;

/** A large state is saved less often: the time between two saves is at least this many times what the last one took. */
const INTERVAL_FACTOR = 20;

/** Saves what changes, never twice at the same time. */
export class Keeper {
  readonly #file: Pick<StateFile, 'save' | 'close'>;
  readonly #read: () => Iterable<string>;
  readonly #report: (problem: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  /** When the next save may begin, by `performance.now()`. */
  #next = 0;
  #lose: (reason: TakenOver) => void = () => {};
  /** Resolves when another has taken the state over: nothing can be saved any more. */
  readonly lost = new Promise<TakenOver>((resolve) => {
    this.#lose = resolve;
  });

  /** `read` gives the text to save, as of that moment; a save that fails while the sandbox runs goes to `report`, and the next change tries again. */
  constructor(
    file: Pick<StateFile, 'save' | 'close'>,
    read: () => Iterable<string>,
    report: (problem: string) => void,
  ) {
    this.#file = file;
    this.#read = read;
    this.#report = report;
  }

  /** Rejects when the file cannot be written. */
  save(): Promise<void> {
    const saved = this.#saving.then(() => this.#save());
    this.#saving = saved.catch(() => {});
    return saved;
  }

  /** Something is different: it is saved within a second, a large state later. */
  changed(): void {
    if (this.#timer !== undefined) return;
    const delay = Math.max(GATHER_MS, this.#next - performance.now());
    this.#timer = setTimeout(() => {
      // What changes from here on may be too late for this save.
      this.#timer = undefined;
      this.save().catch((error) => {
        if (error instanceof TakenOver) this.#lose(error);
        else this.#report(reasonOf(error));
      });
    }, delay);
  }

  /** Saves for the last time and gives the file free. Rejects when it cannot be written. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.save();
    this.#file.close();
  }

  async #save(): Promise<void> {
    const began = performance.now();
    try {
      await this.#file.save(this.#read());
    } finally {
      const took = performance.now() - began;
      this.#next = began + Math.max(INTERVAL_MS, INTERVAL_FACTOR * took);
    }
  }
}
