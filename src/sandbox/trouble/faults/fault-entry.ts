import type { EntryHead } from '../../core/timeline/entries.js';
import type { FaultKind } from './fault-options.js';

/** A fault, a forced outcome or a webhook fault was added, applied or ended. */
export interface FaultEntry extends EntryHead {
  readonly kind: 'fault';
  /** For example `fault_1`. */
  readonly id: string;
  /** `applied`: it applied to a request, which is the `cause` of the entry. */
  readonly what: 'added' | 'applied' | 'ended';
  /** Kind of the fault that applied. */
  readonly fault?: FaultKind | undefined;
}
