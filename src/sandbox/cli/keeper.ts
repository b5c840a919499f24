import { reasonOf } from './failure.js';
import { type StateFile, TakenOver } from './state-file.js';

/** How long changes gather before they are saved, in milliseconds. */
const DELAY = 500;

/** A large state is saved less often: the sandbox shall have this many times what a save takes for its requests. */
const REST = 9;

/** Saves what changes, never twice at the same time. */
export class Keeper {
  readonly #file: Pick<StateFile, 'save' | 'close'>;
  readonly #read: () => unknown;
  readonly #report: (problem: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  #delay = DELAY;
  #lose: (reason: TakenOver) => void = () => {};
  /** Resolves when another has taken the state over: nothing can be saved any more. */
  readonly lost = new Promise<TakenOver>((resolve) => {
    this.#lose = resolve;
  });

  /** `read` gives the value to save; a save that fails while the sandbox runs goes to `report`, and the next change tries again. */
  constructor(file: Pick<StateFile, 'save' | 'close'>, read: () => unknown, report: (problem: string) => void) {
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
    this.#timer ??= setTimeout(() => {
      // What changes from here on may be too late for this save.
      this.#timer = undefined;
      this.save().catch((error) => {
        if (error instanceof TakenOver) this.#lose(error);
        else this.#report(reasonOf(error));
      });
    }, this.#delay);
  }

  /** Saves for the last time and gives the file free. Rejects when it cannot be written. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.save();
    this.#file.close();
  }

  async #save(): Promise<void> {
    const began = performance.now();
    await this.#file.save(this.#read());
    this.#delay = Math.max(DELAY, REST * (performance.now() - began));
  }
}
