import type { live } from '../wire/live.js';

/** Members that each view gets. */
export interface ViewProps {
  readonly live: typeof live;
  /** The part of the view that the address names: `quote/5f0c` in `#/resources/quote/5f0c`. */
  readonly id: string | undefined;
}
