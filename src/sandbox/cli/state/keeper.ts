import type { Changed, ChangeKeeper } from '../../core/basics/changes.js';
import type { StateKeeping } from '../../drive/snapshot/keeping.js';
import { reasonOf } from '../output/failure.js';
import { type StateFile, TakenOver } from './state-file.js';
import { StateLog } from './state-log.js';

/** Changes gather for this long before the state is saved. */
const GATHER_MS = 500;

/** The shortest time from the beginning of a save to that of the next. */
const MIN_INTERVAL_MS = 1_000;

/** A large state is saved less often: the last save's duration times this is the interval. */
const INTERVAL_FACTOR = 20;

/** The longest interval: one save may have been slow because the machine stood still. */
const MAX_INTERVAL_MS = 10_000;

/** A process that stood still for longer may have lost the state to another. */
const OWNER_CHECK_MS = 1_000;

type KeptFile = Pick<StateFile, 'save' | 'checkOwner' | 'close' | 'link' | 'logPath'>;

/** The state to keep. */
export interface ToKeep {
  readonly keeping: StateKeeping;
  /** Returns what a state file holds besides the sandbox's state. */
  readonly more: () => object;
}

export interface KeeperOptions {
  /** True: a change is kept when it is on the disk. False: when the system has it. */
  readonly isDurable: boolean;
  /** Gets the failures of saves while the sandbox runs. They are tried again. */
  readonly report: (problem: string) => void;
}

/**
 * Keeps a state that changes: appends each change to the log, and saves the whole from time to
 * time, one save at a time.
 */
export class Keeper implements ChangeKeeper {
  readonly #file: KeptFile;
  readonly #toKeep: ToKeep;
  readonly #options: KeeperOptions;
  #log: StateLog | undefined;
  /** True when the state of the first save was taken. */
  #isTaken = false;
  #begun: () => void = () => {};
  /** Resolves when the log has begun. */
  readonly #beginning = new Promise<void>((resolve) => {
    this.#begun = resolve;
  });
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  /** The earliest time of the next save, by `performance.now()`. */
  #next = 0;
  /** Time of the last look at the owner of the state, by `performance.now()`. */
  #checked = performance.now();
  #reported: string | undefined;
  #lose: (reason: TakenOver) => void = () => {};
  /** Resolves if another process has taken the state over: nothing can be saved any more. */
  readonly lost = new Promise<TakenOver>((resolve) => {
    this.#lose = resolve;
  });

  constructor(file: KeptFile, toKeep: ToKeep, options: KeeperOptions) {
    this.#file = file;
    this.#toKeep = toKeep;
    this.#options = options;
  }

  /** What changes before the first save is kept when that has ended. */
  append(changed: readonly Changed[]): Promise<void> | undefined {
    this.#planSave();
    this.#checkOwner();
    const complete = changed.map((change): Changed => this.#completed(change));
    return this.#log === undefined ? this.#appendLater(complete) : this.#log.append(complete);
  }

  #checkOwner(): void {
    const now = performance.now();
    if (now - this.#checked < OWNER_CHECK_MS) return;
    this.#checked = now;
    this.#file.checkOwner();
  }

  async #appendLater(changed: readonly Changed[]): Promise<void> {
    const isSaved = !this.#isTaken;
    await this.#beginning;
    if (!isSaved) await this.#log?.append(changed);
  }

  /** Rejects if the file cannot be written. */
  save(): Promise<void> {
    const saved = this.#saving.then(() => this.#save());
    this.#saving = saved.catch(() => {});
    return saved;
  }

  /** Saves for the last time and closes the file. Rejects if it cannot be written. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      await this.save();
      this.#log?.close(true);
    } finally {
      this.#file.close();
    }
  }

  /** A state as a whole has the further members, too. */
  #completed([part, value]: Changed): Changed {
    return part[0] === 'whole' ? [part, { ...(value as object), ...this.#toKeep.more() }] : [part, value];
  }

  /** Plans a save within a second; of a large state, within ten seconds of the last. */
  #planSave(): void {
    if (this.#timer !== undefined) return;
    const delay = Math.max(GATHER_MS, this.#next - performance.now());
    this.#timer = setTimeout(() => {
      // Cleared first: a change from here on may be too late for this save.
      this.#timer = undefined;
      this.save().catch((error) => this.#failed(error));
    }, delay);
  }

  #failed(error: unknown): void {
    if (error instanceof TakenOver) {
      this.#lose(error);
      return;
    }
    const problem = reasonOf(error);
    if (problem !== this.#reported) this.#options.report(problem);
    this.#reported = problem;
    this.#planSave();
  }

  async #save(): Promise<void> {
    const began = performance.now();
    const { keeping, more } = this.#toKeep;
    try {
      const pieces = keeping.pieces(() => ({ ...more(), log: this.#log?.link ?? this.#file.link }));
      this.#isTaken = true;
      const mark = this.#log?.mark;
      await this.#file.save(pieces);
      if (mark === undefined) this.#beginLog();
      else this.#log?.dropUntil(mark);
      keeping.saved();
      this.#reported = undefined;
    } finally {
      const took = performance.now() - began;
      this.#next = began + Math.max(MIN_INTERVAL_MS, Math.min(INTERVAL_FACTOR * took, MAX_INTERVAL_MS));
    }
  }

  #beginLog(): void {
    const { logPath, link } = this.#file;
    this.#log = StateLog.begin(logPath, link, this.#options.isDurable);
    this.#begun();
  }
}
