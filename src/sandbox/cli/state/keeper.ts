import { reasonOf } from '../output/failure.js';
import { type StateFile, TakenOver } from './state-file.js';

/** Changes gather for this long before they are saved. */
const GATHER_MS = 500;

/** The shortest time from the beginning of a save to that of the next. */
const MIN_INTERVAL_MS = 1_000;

/** A large state is saved less often: the last save's duration times this is the interval. */
const INTERVAL_FACTOR = 20;

/** The longest interval: one save may have been slow because the machine stood still. */
const MAX_INTERVAL_MS = 10_000;

/** Saves a state that changes, one save at a time. */
export class Keeper {
  readonly #file: Pick<StateFile, 'save' | 'close'>;
  readonly #read: () => Iterable<string>;
  readonly #report: (problem: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  /** The earliest time of the next save, by `performance.now()`. */
  #next = 0;
  #lose: (reason: TakenOver) => void = () => {};
  /** Resolves if another process has taken the state over: nothing can be saved any more. */
  readonly lost = new Promise<TakenOver>((resolve) => {
    this.#lose = resolve;
  });

  /**
   * @param read Returns the text to save, as of that moment.
   * @param report Gets the failures of saves while the sandbox runs. The next change tries again.
   */
  constructor(
    file: Pick<StateFile, 'save' | 'close'>,
    read: () => Iterable<string>,
    report: (problem: string) => void,
  ) {
    this.#file = file;
    this.#read = read;
    this.#report = report;
  }

  /** Rejects if the file cannot be written. */
  save(): Promise<void> {
    const saved = this.#saving.then(() => this.#save());
    this.#saving = saved.catch(() => {});
    return saved;
  }

  /** Plans a save within a second; of a large state, within ten seconds of the last. */
  changed(): void {
    if (this.#timer !== undefined) return;
    const delay = Math.max(GATHER_MS, this.#next - performance.now());
    this.#timer = setTimeout(() => {
      // Cleared first: a change from here on may be too late for this save.
      this.#timer = undefined;
      this.save().catch((error) => {
        if (error instanceof TakenOver) this.#lose(error);
        else this.#report(reasonOf(error));
      });
    }, delay);
  }

  /** Saves for the last time and closes the file. Rejects if it cannot be written. */
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
      this.#next = began + Math.max(MIN_INTERVAL_MS, Math.min(INTERVAL_FACTOR * took, MAX_INTERVAL_MS));
    }
  }
}
