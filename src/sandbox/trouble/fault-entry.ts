import type { EntryHead } from '../core/timeline/entries.js';
import type { FaultKind } from './faults/fault-options.js';

/** A fault, an outcome set ahead, a bad webhook or a scenario was added, struck or ended. */
export interface FaultEntry extends EntryHead {
  readonly kind: 'fault';
  /** For example `fault_1`, or the name of a scenario. */
  readonly id: string;
  /** `struck`: the `cause` is the request that it struck. */
  readonly what: 'added' | 'struck' | 'ended';
  /** The kind of fault that struck. */
  readonly fault?: FaultKind | undefined;
}
