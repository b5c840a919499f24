import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AGES, type Age, CELLS, type Cell, cellsNamed } from './cells.js';
import { type Listed, OWN, PEERS } from './clients.js';
import type { Durations } from './visit.js';

/** What the command was told. */
export interface Options {
  readonly rounds: number;
  readonly durations: Durations;
  /** What is measured beside the floor. */
  readonly own: readonly Listed[];
  readonly peers: readonly Listed[];
  readonly cells: readonly Cell[];
  /** Measures calls over TLS. */
  readonly tls: boolean;
  /** Where partner-sdk is installed, when it is not this repository that is measured. */
  readonly installedIn: string | undefined;
  /** Where another partner-sdk is installed, to be measured beside it. */
  readonly against: string | undefined;
  /** Takes `dist` as it is. */
  readonly built: boolean;
  /** Writes RESULTS.md. */
  readonly write: boolean;
}

const FULL = { rounds: 5, durations: { youngCalls: 8_000, window: 300, longestWarmUp: 4_000, measure: 700 } };
/** Enough to see that something has gone wrong, not for a figure to keep. */
const SHORT = { rounds: 2, durations: { youngCalls: 2_000, window: 150, longestWarmUp: 600, measure: 200 } };

export function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      peers: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      short: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      cells: { type: 'string' },
      tls: { type: 'boolean', default: false },
      age: { type: 'string' },
      against: { type: 'string' },
      package: { type: 'string' },
      built: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const { rounds, durations } = values.short ? SHORT : FULL;
  const clients = clientsNamed(values.only);
  return {
    rounds: values.rounds === undefined ? rounds : roundsOf(values.rounds),
    durations,
    own: values.tls ? [] : OWN.filter((client) => clients.includes(client)),
    peers: values.peers || values.only.length > 0 ? PEERS.filter((client) => clients.includes(client)) : [],
    cells: values.tls ? [] : cellsOf(values.cells, agesOf(values.age)),
    tls: values.tls || (values.cells === undefined && values.age === undefined && values.only.length === 0),
    against: values.against === undefined ? undefined : resolve(values.against),
    installedIn: values.package === undefined ? undefined : resolve(values.package),
    built: values.built,
    write: values.write,
  };
}

/** Without names, all. */
function cellsOf(names: string | undefined, ages: readonly Age[]): readonly Cell[] {
  const cells = names?.split(',').flatMap(cellsNamed) ?? CELLS;
  return cells.filter(({ age }) => ages.includes(age));
}

function agesOf(text: string | undefined): readonly Age[] {
  if (text === undefined) return AGES;
  const ages = AGES.filter((age) => age === text);
  if (ages.length === 0) throw new Error(`--age ${text}: must be ${AGES.join(' or ')}`);
  return ages;
}

/** Without a name, all. */
function clientsNamed(names: readonly string[]): readonly Listed[] {
  const all = [...OWN, ...PEERS];
  const unknown = names.filter((name) => !all.some((client) => client.name === name));
  if (unknown.length > 0)
    throw new Error(`no client ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}`);
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

function roundsOf(text: string): number {
  const rounds = Number(text);
  if (Number.isSafeInteger(rounds) && rounds > 0) return rounds;
  throw new Error(`--rounds ${text}: must be a positive integer`);
}
