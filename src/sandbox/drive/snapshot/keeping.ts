import type { ServiceParts } from '../../service/parts.js';
import type { SavedScenario } from '../../trouble/scenarios/saved-scenarios.js';
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

/** Stores the state. */
export interface StateKeeper {
  /** Called after the state may have changed. */
  changed(): void;
  /** Called with each snapshot: stores the state at once, if it can be stored. */
  trySave(): void;
}

/** The parts of a service that are stored. */
interface KeptService extends Pick<ServiceParts, 'trouble'> {
  keeper: StateKeeper | undefined;
  snapshot(): WrittenSnapshot;
}

export interface StateKeeping {
  /** Calls the keeper after timers of the sandbox's clock and with each snapshot. */
  keepBy(keeper: StateKeeper): void;
  /** Returns a snapshot with the running scenarios. */
  saved(): WrittenSnapshot & { readonly scenarios: readonly SavedScenario[] };
  /**
   * Ends scenarios of an earlier process, which restores what they changed. Returns their names.
   *
   * @throws TypeError that names the first wrong member.
   */
  endScenarios(saved: unknown): string[];
}

export function keepingOf(service: KeptService): StateKeeping {
  const { scenarios } = service.trouble;
  return {
    keepBy(keeper) {
      service.keeper = keeper;
    },
    saved: () => ({ ...service.snapshot(), scenarios: scenarios.save() }),
    endScenarios(saved) {
      scenarios.restore('state', saved);
      const names = scenarios.save().map(({ name }) => name);
      scenarios.stopAll();
      return names;
    },
  };
}
