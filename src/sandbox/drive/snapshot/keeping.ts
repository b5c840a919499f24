import type { ChangeKeeper } from '../../core/basics/changes.js';
import type { ServiceParts } from '../../service/parts.js';
import type { SavedScenario } from '../../trouble/scenarios/saved-scenarios.js';
import { piecesOf } from './pieces.js';
import { isSaved } from './saved-state.js';
import type { WrittenSnapshot } from './snapshot-schema.js';

/**
 * Symbol by which the package's own command stores the state in a file. It is not part of the
 * public interface. The command is a separate bundle, so the symbol is one that all bundles share.
 */
export const KEEPING = Symbol.for('partner-sdk/sandbox/keeping');

/** A sandbox whose state can be stored in a file. */
export interface Kept {
  readonly [KEEPING]: StateKeeping;
}

/** A snapshot with the additional data of a state file. */
export interface SavedState extends WrittenSnapshot {
  /** Numbers of the tasks in the agenda, in its order. Changes identify a task by its number. */
  readonly tasks: readonly number[];
  /** The running scenarios. */
  readonly scenarios: readonly SavedScenario[];
}

/** The parts of a service that are stored. */
interface KeptService extends Pick<ServiceParts, 'state' | 'trouble'> {
  snapshot(): WrittenSnapshot;
}

export interface StateKeeping {
  /** Passes each change to `keeper` from now on. */
  keepBy(keeper: ChangeKeeper): void;
  /**
   * Returns the current state, with the members of `more`, as pieces of JSON text. All changes so
   * far are passed to the keeper before `more` is called.
   */
  pieces(more: () => object): Iterable<string>;
  /**
   * Must be called after a state was saved. After a failure, changes can be passed to the keeper
   * again.
   */
  saved(): void;
  /**
   * Ends scenarios of an earlier process, which restores what they changed. Returns their names.
   *
   * @throws TypeError that names the first wrong member.
   */
  endScenarios(saved: unknown): string[];
}

export function keepingOf(service: KeptService): StateKeeping {
  const { changes, clock } = service.state;
  const { scenarios } = service.trouble;
  return {
    keepBy: (keeper) => changes.keepBy(keeper, () => [[['clock'], clock.time()]]),
    pieces(more) {
      changes.commitFacts();
      return piecesOf({ ...savedState(service), ...more() });
    },
    saved: () => changes.mend(),
    endScenarios(saved) {
      scenarios.restore('state', saved);
      const names = scenarios.save().map(({ name }) => name);
      scenarios.stopAll();
      return names;
    },
  };
}

export function savedState(service: KeptService): SavedState {
  const { state, trouble } = service;
  const snapshot = service.snapshot();
  const tasks = state.clock.agenda.filter(({ task }) => isSaved(task)).map(({ number }) => number);
  return { ...snapshot, tasks, scenarios: trouble.scenarios.save() };
}
