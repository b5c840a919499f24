import { parseArgs } from 'node:util';
import { NODES } from '../nodes.js';
import { CELLS, type Cell, cellsNamed } from './cells.js';
import type { Scale } from './rounds.js';

/** What the command was told. */
export interface Options {
  readonly nodes: string;
  readonly cells: readonly Cell[];
  /** Measures calls over TLS. */
  readonly tls: boolean;
  readonly scale: Scale;
  /** Each partner-sdk; the source of this repository's own is undefined. */
  readonly packages: readonly { readonly name: string; readonly source: string | undefined }[];
  /** Writes RESULTS.md. */
  readonly write: boolean;
}

const FULL: Scale = { rounds: 12, marks: [500, 8_000], warmRounds: 4, warmUp: 8_000, turns: 15, callsOfTurn: 700 };
/** Enough to see that something has gone wrong, not for a figure to keep. */
const SHORT: Scale = { rounds: 1, marks: [500, 2_000], warmRounds: 1, warmUp: 1_000, turns: 5, callsOfTurn: 200 };

export function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      node: { type: 'string', default: NODES },
      cells: { type: 'string' },
      age: { type: 'string' },
      tls: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      short: { type: 'boolean', default: false },
      package: { type: 'string', multiple: true, default: [] },
      write: { type: 'boolean', default: false },
    },
  });
  const cells = values.cells === undefined ? CELLS : cellsNamed(values.cells);
  return {
    nodes: values.node,
    cells: values.tls ? [] : cells,
    tls: values.tls || (values.cells === undefined && values.age === undefined),
    scale: scaleOf(values.short ? SHORT : FULL, values.rounds, values.age),
    packages:
      values.package.length === 0 ? [{ name: 'partner-sdk', source: undefined }] : values.package.map(packageOf),
    write: values.write,
  };
}

function scaleOf(scale: Scale, rounds: string | undefined, age: string | undefined): Scale {
  if (age !== undefined && age !== 'young' && age !== 'warm') throw new Error(`--age ${age}: must be young or warm`);
  const times = rounds === undefined ? undefined : roundsOf(rounds);
  return {
    ...scale,
    rounds: age === 'warm' ? 0 : (times ?? scale.rounds),
    warmRounds: age === 'young' ? 0 : (times ?? scale.warmRounds),
  };
}

/** `PATH`, or `NAME=PATH` where several are measured. */
function packageOf(text: string): { name: string; source: string } {
  const [, name = 'partner-sdk', source = ''] = /^(?:([^=/]+)=)?(.+)$/.exec(text) ?? [];
  return { name, source };
}

function roundsOf(text: string): number {
  const rounds = Number(text);
  if (Number.isSafeInteger(rounds) && rounds > 0) return rounds;
  throw new Error(`--rounds ${text}: must be a positive integer`);
}
