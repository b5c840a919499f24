/** CPU of the sandbox for a request, and for a sandbox: `npm run bench:sandbox -- --against DIR`. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median, quantile, round, table } from '../lanes/figures.js';
import { ROOT } from '../project.js';
import { type BenchRequest, Subject } from './subject.js';

/** A figure is taken in so many pieces, with the builds in turn: a busy moment of the machine meets all of them. */
const PIECES = 8;
/** Rounds in processes of their own: two processes of one build differ by some percent. */
const ROUNDS = 9;

const USD = { symbol: 'USD', type: 'fiat' };
const QUOTE = { from: { ...USD, amount: '1.00' }, to: { symbol: 'BTC', type: 'crypto' } };
const TRANSFER = { from: { asset: { ...USD, amount: '0.01' } }, to: { tag: 'a friend' } };

interface Figure {
  readonly name: string;
  /** In a round, after half as many to warm up. */
  readonly count: number;
  readonly take: (subject: Subject, count: number) => Promise<number>;
}

const request = (name: string, count: number, asked: BenchRequest): Figure => ({
  name,
  count,
  take: (subject, share) => subject.visit(asked, share),
});

const FIGURES: readonly Figure[] = [
  { name: 'a new sandbox', count: 40, take: (subject, count) => subject.make(count) },
  request('GET a quote', 8_000, { path: ({ accountId, quoteId }) => `/v1/accounts/${accountId}/quotes/${quoteId}` }),
  request('GET assets', 1_600, { path: () => '/v1/assets' }),
  request('POST a quote', 3_200, { path: ({ accountId }) => `/v1/accounts/${accountId}/quotes`, body: QUOTE }),
  request('POST a transfer', 3_200, { path: ({ accountId }) => `/v1/accounts/${accountId}/transfers`, body: TRANSFER }),
];

const SETTINGS = [{}, { inspect: true }];

/** Microseconds of each piece, of one build after the other. */
type Pieces = readonly (readonly number[])[];

/** Returns the pieces of each figure, of fresh processes. */
async function measureRound(files: readonly string[], setting: object): Promise<Pieces[]> {
  const subjects = await Promise.all(files.map((file) => Subject.open(file, setting)));
  try {
    const figures: Pieces[] = [];
    for (const figure of FIGURES) figures.push(await measureFigure(subjects, figure));
    return figures;
  } finally {
    await Promise.all(subjects.map((subject) => subject.close()));
  }
}

async function measureFigure(subjects: readonly Subject[], { count, take }: Figure): Promise<Pieces> {
  const pieces = subjects.map((): number[] => []);
  for (const subject of subjects) await take(subject, count / 2);
  const takers = subjects.map((subject, place) => async () => {
    pieces[place]?.push(await take(subject, count / PIECES));
  });
  for (let piece = 0; piece < PIECES; piece += 1) {
    // The first of a pair is not always the same build.
    for (const next of piece % 2 === 0 ? takers : takers.toReversed()) await next();
  }
  return pieces;
}

/** Measures the files in turn. With two, it compares the first one with the second one, piece by piece. */
async function measure(files: readonly string[], setting: object, rounds: number): Promise<void> {
  const found: Pieces[][] = [];
  for (let turn = 0; turn < rounds; turn += 1) found.push(await measureRound(files, setting));
  console.log(`createSandbox(${JSON.stringify(setting)}), µs of CPU, medians of ${rounds} rounds\n`);
  table(
    FIGURES.map(({ name }, figure) =>
      rowOf(
        name,
        found.map((figures) => figures[figure] ?? []),
      ),
    ),
  );
}

function rowOf(name: string, rounds: readonly Pieces[]): Record<string, string> {
  const [ours = '', theirs] = (rounds[0] ?? []).map((_, place) =>
    round(median(rounds.map((builds) => median(builds[place] ?? []))), 1),
  );
  if (theirs === undefined) return { figure: name, 'this build': ours };
  const ratios = rounds
    .map(([own = [], other = []]) => median(own.map((cost, piece) => cost / (other[piece] ?? Number.NaN))))
    .sort((a, b) => a - b);
  const spread = [0.25, 0.75].map((share) => round(quantile(ratios, share), 3)).join(' to ');
  return {
    ...{ figure: name, 'this build': ours, against: theirs },
    ...{ ratio: round(median(ratios), 3), 'half of the rounds': spread },
  };
}

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    package: { type: 'string' },
    rounds: { type: 'string', default: String(ROUNDS) },
  },
});

/** A folder in which partner-sdk is installed. */
const installedIn = (folder: string): string => resolve(folder, 'node_modules/partner-sdk/dist/sandbox.cjs');

const ours = values.package === undefined ? join(ROOT, 'dist/sandbox.cjs') : installedIn(values.package);
const files = [ours, ...(values.against === undefined ? [] : [installedIn(values.against)])];
for (const setting of SETTINGS) await measure(files, setting, Number(values.rounds));
