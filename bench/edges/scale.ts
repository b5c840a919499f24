import type { Measurer } from './measured.js';

/** How long a run may take. */
export interface Scale {
  readonly short: boolean;
  readonly measurer: Measurer;
  /** The seconds of a load. */
  seconds(full: number, short: number): number;
}
