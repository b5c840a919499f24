import type { Changed, ChangeKeeper } from '../../core/basics/changes.js';
import type { StateKeeping } from '../../drive/snapshot/keeping.js';
import { reasonOf } from '../output/failure.js';
import { type StateFile, TakenOver } from './state-file.js';
import { StateLog } from './state-log.js';

/** Time in ms for which changes are gathered before the state is saved. */
const GATHER_MS = 500;

/** Minimum time in ms from the start of one save to the start of the next. */
const MIN_INTERVAL_MS = 1_000;

/**
 * The interval is the duration of the last save times this factor, so a large state is saved less
 * often.
 */
const INTERVAL_FACTOR = 20;

/** Maximum interval in ms: one save may have been slow because the machine was suspended. */
const MAX_INTERVAL_MS = 10_000;

/**
 * Time in ms after which the owner is checked again: another process may have taken over the state
 * of a suspended one.
 */
const OWNER_CHECK_MS = 1_000;

type KeptFile = Pick<StateFile, 'save' | 'checkOwner' | 'close' | 'link' | 'logPath'>;

/** The state to save. */
export interface ToKeep {
  readonly keeping: StateKeeping;
  /** Returns the members of a state file besides the sandbox's state. */
  readonly more: () => object;
}

export interface KeeperOptions {
  /** True: a change is stored when it is on the disk. False: when the system has it. */
  readonly isDurable: boolean;
  /** Called with failures of saves while the sandbox runs. They are retried. */
  readonly report: (problem: string) => void;
}

/**
 * Stores a changing state: appends each change to the log, and saves the whole state from time to
 * time, one save at a time.
 */
export class Keeper implements ChangeKeeper {
  readonly #file: KeptFile;
  readonly #toKeep: ToKeep;
  readonly #options: KeeperOptions;
  #log: StateLog | undefined;
  /** True once the state for the first save has been read. */
  #isTaken = false;
  #resolveLogStarted: () => void = () => {};
  /** Resolves when the log exists. */
  readonly #logStarted = new Promise<void>((resolve) => {
    this.#resolveLogStarted = resolve;
  });
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  /** Earliest time of the next save, by `performance.now()`. */
  #next = 0;
  /** Time of the last check of the owner, by `performance.now()`. */
  #checked = performance.now();
  #reported: string | undefined;
  #lose: (reason: TakenOver) => void = () => {};
  /**
   * Resolves if another process has taken over the state, so that nothing can be saved any more.
   */
  readonly lost = new Promise<TakenOver>((resolve) => {
    this.#lose = resolve;
  });

  constructor(file: KeptFile, toKeep: ToKeep, options: KeeperOptions) {
    this.#file = file;
    this.#toKeep = toKeep;
    this.#options = options;
  }

  /** Changes before the first save are stored when that has ended. */
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
    await this.#logStarted;
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

  /** A change of the whole state contains the additional members, too. */
  #completed([part, value]: Changed): Changed {
    return part[0] === 'whole' ? [part, { ...(value as object), ...this.#toKeep.more() }] : [part, value];
  }

  /** Schedules a save within a second, or for a large state within ten seconds of the last one. */
  #planSave(): void {
    if (this.#timer !== undefined) return;
    const delay = Math.max(GATHER_MS, this.#next - performance.now());
    this.#timer = setTimeout(() => {
      // Cleared first, because a change after this may be too late for this save.
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
    this.#resolveLogStarted();
  }
}
