import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CELLS, type Cell, cellNamed } from './calls/cells.js';

/** What the command was told. */
export interface Options {
  readonly peers: boolean;
  readonly rounds: number;
  readonly short: boolean;
  /** Names of clients; empty: all. */
  readonly only: readonly string[];
  readonly cells: readonly Cell[];
  /** Where partner-sdk is installed, when it is not this repository that is measured. */
  readonly installedIn: string | undefined;
  /** Takes `dist` as it is. */
  readonly built: boolean;
  /** Writes RESULTS.md. */
  readonly write: boolean;
}

export function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      peers: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      short: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      cells: { type: 'string' },
      package: { type: 'string' },
      built: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  return {
    peers: values.peers,
    rounds: roundsOf(values.rounds) ?? (values.short ? 3 : 7),
    short: values.short,
    only: values.only,
    cells: values.cells?.split(',').map(cellNamed) ?? CELLS,
    installedIn: values.package === undefined ? undefined : resolve(values.package),
    built: values.built,
    write: values.write,
  };
}

function roundsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const rounds = Number(text);
  if (Number.isSafeInteger(rounds) && rounds > 0) return rounds;
  throw new Error(`--rounds ${text}: must be a positive integer`);
}
