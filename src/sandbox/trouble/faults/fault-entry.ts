import type { EntryHead } from '../../core/timeline/entries.js';
import type { FaultKind } from './fault-options.js';

/**
 * An entry of the timeline: a fault, a forced outcome, a webhook fault or a scenario was added,
 * struck or ended.
 */
export interface FaultEntry extends EntryHead {
  readonly kind: 'fault';
  /** For example `fault_1`, or the name of a scenario. */
  readonly id: string;
  /** For `struck`, the `cause` of the entry is the request. */
  readonly what: 'added' | 'struck' | 'ended';
  /** Kind of the fault that struck. */
  readonly fault?: FaultKind | undefined;
}
