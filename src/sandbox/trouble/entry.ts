import type { EntryHead } from '../core/timeline/entries.js';
import type { FaultKind } from './trouble.js';

/** A trouble was added, applied or ended. */
export interface TroubleEntry extends EntryHead {
  readonly kind: 'trouble';
  /** For example `trouble_1`. */
  readonly id: string;
  /** `applied`: it applied to a request or a delivery, which is the `cause` of the entry. */
  readonly what: 'added' | 'applied' | 'ended';
  /** Kind of the fault that applied, if it is one. */
  readonly fault?: FaultKind | undefined;
}
