import type { Cell } from '../calls/cells.js';
import type { CallsSummary } from '../calls/summary.js';
import type { TlsFigures } from '../calls/tls.js';
import type { Sample } from '../calls/visit.js';
import type { CompileFigures } from '../compile/compile.js';
import type { InstalledSize } from '../size/installed.js';
import type { StartFigures } from '../start/start.js';

/** Everything that a run has measured; what it was not told to measure is not there. */
export interface Results {
  readonly cells: readonly Cell[];
  readonly rounds: number;
  readonly calls: CallsSummary;
  /** By cell. */
  readonly floor: ReadonlyMap<string, Sample>;
  readonly tls?: TlsFigures | undefined;
  readonly footprint?: Footprint | undefined;
  readonly compile?: CompileFigures | undefined;
}

/** What a client costs before and beside its calls, by client. */
export interface Footprint {
  /** Bytes. */
  readonly peakMemory: ReadonlyMap<string, number>;
  readonly start: ReadonlyMap<string, Partial<StartFigures>>;
  readonly sizes: ReadonlyMap<string, InstalledSize>;
}
