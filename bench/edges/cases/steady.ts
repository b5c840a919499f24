import { figure, table } from '../../figures.js';
import type { Result } from '../measured.js';
import type { Scale } from '../scale.js';
import { answering, type Site, type Way } from '../site.js';
import type { SubjectName } from '../subjects.js';
import { failed, mustBeRight, mustHold, percent, refusedShare, shouldReach } from '../verdict.js';

const PER_SECOND = 200;
const ANSWER_MS = 20;
const SLOW = { share: 0.01, ms: 2_000 };

/** What a quiet machine reaches: p95 in ms with answers that take equally long, and with slow ones among them. */
const P95 = { even: 40, slow: 60 };
const REFUSED = 0.01;
/** On any machine. */
const MOST_REFUSED = 0.15;

interface Cell {
  readonly way: Way;
  readonly subject: SubjectName;
  readonly answers: keyof typeof P95;
}

/** 200 calls a second that come evenly, answers of 20 ms, without and with one in a hundred that takes 2 s. */
export async function steady(site: Site, { short, seconds, measurer }: Scale): Promise<void> {
  const rows: Record<string, string | number>[] = [];
  const verdicts: (() => void)[] = [];
  for (const cell of cellsOf(site, short)) {
    const load = { kind: 'open', perSecond: PER_SECOND, seconds: seconds(6, 2) } as const;
    const behaviour = answering(ANSWER_MS, cell.answers === 'slow' ? SLOW : undefined);
    const result = await measurer.run(cell.subject, cell.way.address, load, behaviour);
    rows.push(rowOf(cell, result));
    if (cell.subject !== 'pool') verdicts.push(() => judge(cell, result));
  }
  console.log(`${table(rows)}\n`);
  for (const verdict of verdicts) verdict();
}

function cellsOf(site: Site, short: boolean): Cell[] {
  const [direct, nginx] = site.plain;
  if (direct === undefined || nginx === undefined) return [];
  if (short) {
    return [
      { way: nginx, subject: 'default', answers: 'slow' },
      { way: site.nginxHttp2, subject: 'default', answers: 'slow' },
      { way: nginx, subject: 'fetch', answers: 'even' },
    ];
  }
  const ways = [...site.plain, site.nginxTls, ...site.http2];
  return (['even', 'slow'] as const).flatMap((answers) => [
    { way: direct, subject: 'pool', answers } as const,
    ...ways.map((way) => ({ way, subject: 'default', answers }) as const),
    // fetch takes the authorities that Node trusts, and no other.
    ...site.plain.map((way) => ({ way, subject: 'fetch', answers }) as const),
  ]);
}

function rowOf({ way, subject, answers }: Cell, result: Result) {
  const { whole, settled = whole } = result;
  return {
    answers: answers === 'even' ? '20 ms' : '1 % of 2 s',
    edge: way.name,
    client: subject === 'pool' ? 'pool, unchecked' : subject === 'fetch' ? 'fetchTransport' : 'default',
    p50: figure(whole.p50),
    p95: figure(whole.p95),
    'p95, second half': figure(settled.p95),
    failed: failed(result),
    wrong: result.wrong,
    refused: percent(refusedShare(result)),
    'CPU µs': figure(whole.cpu),
    way: result.way ?? '–',
    'gap ms': figure(result.gap, 2),
  };
}

function judge({ way, subject, answers }: Cell, result: Result): void {
  const where = `${way.name}, ${subject}, ${answers === 'even' ? '20 ms' : '1 % of 2 s'}`;
  mustBeRight(where, result);
  const refused = refusedShare(result);
  mustHold(`${where}: at most ${percent(MOST_REFUSED, 0)} refused: ${percent(refused)}`, refused <= MOST_REFUSED);
  const { p95 } = result.whole;
  const reached = p95 <= P95[answers] && refused <= REFUSED;
  shouldReach(
    `${where}: p95 at most ${P95[answers]} ms, at most ${percent(REFUSED, 0)} refused`,
    `${figure(p95)} ms, ${percent(refused)}`,
    reached,
  );
}
