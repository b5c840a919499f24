import type { Live } from '../wire/live.js';

/** What each view gets. */
export interface ViewProps {
  readonly live: Live;
  /** What of the view the address names: `quote/5f0c` in `#/resources/quote/5f0c`. */
  readonly id: string | undefined;
}
