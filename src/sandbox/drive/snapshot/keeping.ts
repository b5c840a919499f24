import type { ChangeKeeper } from '../../core/basics/changes.js';
import type { ServiceParts } from '../../service/parts.js';
import type { SavedScenario } from '../../trouble/scenarios/saved-scenarios.js';
import { piecesOf } from './pieces.js';
import { isSaved } from './saved-state.js';
import type { WrittenSnapshot } from './snapshot-schema.js';

/**
 * The package's own command keeps the state in a file by this symbol. It is not part of the public
 * interface. The command is a bundle of its own, so the symbol is one that all bundles share.
 */
export const KEEPING = Symbol.for('partner-sdk/sandbox/keeping');

/** A sandbox whose state can be kept in a file. */
export interface Kept {
  readonly [KEEPING]: StateKeeping;
}

/** A snapshot with what a state file has beside it. */
export interface SavedState extends WrittenSnapshot {
  /** The number of each task of the agenda, in its order. Changes name the task by it. */
  readonly tasks: readonly number[];
  /** The scenarios that run. */
  readonly scenarios: readonly SavedScenario[];
}

/** What is kept. */
interface KeptService extends Pick<ServiceParts, 'state' | 'trouble'> {
  snapshot(): WrittenSnapshot;
}

export interface StateKeeping {
  /** Hands over each change from now on. */
  keepBy(keeper: ChangeKeeper): void;
  /**
   * Returns the present state with further members as JSON text, made piece by piece. All changes
   * until now are handed over before `more` is called.
   */
  pieces(more: () => object): Iterable<string>;
  /** To be called when a state was saved. After a failure, changes can be handed over again. */
  saved(): void;
  /**
   * Ends scenarios of an earlier process: what they changed is as it was. Returns their names.
   *
   * @throws TypeError that names the first wrong place.
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
