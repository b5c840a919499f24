import type { StateKeeper } from '../../drive/snapshot/keeping.js';
import { reasonOf } from '../output/failure.js';
import type { StateFile } from './state-file.js';

/** Time in ms for which changes are gathered before the state is saved. */
const GATHER_MS = 1_000;

/** Saves a changing state in a file: at most once a second, with each snapshot, and at the end. */
export class Keeper implements StateKeeper {
  readonly #file: StateFile;
  readonly #state: () => object;
  readonly #report: (problem: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #reported: string | undefined;

  /** `report` is called with failures of saves while the sandbox runs. They are retried. */
  constructor(file: StateFile, state: () => object, report: (problem: string) => void) {
    this.#file = file;
    this.#state = state;
    this.#report = report;
  }

  changed(): void {
    this.#timer ??= setTimeout(() => this.trySave(), GATHER_MS);
  }

  trySave(): void {
    try {
      this.save();
      this.#reported = undefined;
    } catch (error) {
      const problem = reasonOf(error);
      if (problem !== this.#reported) this.#report(problem);
      this.#reported = problem;
      this.changed();
    }
  }

  /** @throws Failure if the file cannot be written. */
  save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#file.save(this.#state());
  }
}
