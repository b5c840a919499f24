import { figure, table } from '../../figures.js';
import type { Result } from '../measured.js';
import type { Scale } from '../scale.js';
import { answering, type Site, type Way } from '../site.js';
import type { SubjectName } from '../subjects.js';
import { mustBeRight, mustHold, percent, refusedShare, refusedShareSettled, shouldReach } from '../verdict.js';

const CALLERS = 64;
const ANSWER_MS = 50;

/** What a quiet machine reaches behind each edge: the least share of the pool's rate, the most refusals for each call, settled and in all. */
const TARGETS: Readonly<Record<string, readonly [rate: number, settled: number, whole: number]>> = {
  direct: [0.9, 0.001, 0.001],
  nginx: [0.75, 0.01, 0.025],
  'nginx, TLS': [0.75, 0.01, 0.025],
  HAProxy: [0.75, 0.01, 0.025],
  Caddy: [0.6, 0.01, 0.025],
  'nginx, h2': [0.85, 0.003, 0.003],
  'HAProxy, h2': [0.85, 0.003, 0.003],
};

/** On any machine: so many times the rate of one call at a time, and no more refusals for each call. */
const LEAST_TIMES_STRICT = 3;
const MOST_REFUSED = 0.15;

/** 64 callers with one API key, one write in ten: the default against a pool whose nonces nobody checks, and against one call at a time. */
export async function callers(site: Site, { short, seconds, measurer }: Scale): Promise<void> {
  const [direct = site.nginxTls, nginx = site.nginxTls] = site.plain;
  const ways = short ? [...site.plain, ...site.http2] : [...site.plain, site.nginxTls, ...site.http2];
  const measure = ({ address }: Way, subject: SubjectName, seconds: number) =>
    measurer.run(subject, address, { kind: 'closed', callers: CALLERS, seconds }, answering(ANSWER_MS));
  const strict = await measure(nginx, 'strict', seconds(3, 1));
  const poolAlone = short ? await measure(direct, 'pool', 1) : undefined;
  const rows: Record<string, string | number>[] = [];
  const verdicts: (() => void)[] = [];
  for (const way of ways) {
    const pool = poolAlone ?? (await measure(way, 'pool', seconds(4, 1)));
    const ours = await measure(way, 'default', seconds(8, 3));
    rows.push(rowOf(way, ours, pool));
    verdicts.push(() => judge(way, ours, pool, strict));
  }
  console.log(`${table(rows)}\n`);
  console.log(`One call at a time, behind nginx: ${figure(strict.whole.rate)} calls/s.\n`);
  for (const verdict of verdicts) verdict();
}

const settledOf = (result: Result) => result.settled ?? result.whole;
const shareOf = (ours: Result, pool: Result) => settledOf(ours).rate / settledOf(pool).rate;

function rowOf({ name, protocol }: Way, ours: Result, pool: Result) {
  const settled = settledOf(ours);
  return {
    edge: name,
    protocol,
    'pool, unchecked: calls/s': figure(settledOf(pool).rate),
    'calls/s': figure(settled.rate),
    share: figure(shareOf(ours, pool), 2),
    refused: percent(refusedShareSettled(ours)),
    'with the start': percent(refusedShare(ours)),
    p50: figure(settled.p50),
    p95: figure(settled.p95),
    failed: ours.failures,
    wrong: ours.wrong,
    'CPU µs': figure(settled.cpu),
    "the pool's": figure(settledOf(pool).cpu),
    way: ours.way ?? '–',
    'gap ms': figure(ours.gap, 2),
    connections: ours.connections ?? '–',
  };
}

function judge({ name }: Way, ours: Result, pool: Result, strict: Result): void {
  mustBeRight(name, ours);
  const times = settledOf(ours).rate / strict.whole.rate;
  mustHold(`${name}: ${LEAST_TIMES_STRICT} times one call at a time: ${figure(times, 1)}`, times >= LEAST_TIMES_STRICT);
  const refused = refusedShare(ours);
  mustHold(`${name}: at most ${percent(MOST_REFUSED, 0)} refused: ${percent(refused)}`, refused <= MOST_REFUSED);
  const [rate, settled, whole] = TARGETS[name] ?? [];
  if (rate === undefined || settled === undefined || whole === undefined) return;
  const share = shareOf(ours, pool);
  shouldReach(`${name}: at least ${rate} of the pool`, figure(share, 2), share >= rate);
  const refusedSettled = refusedShareSettled(ours);
  shouldReach(`${name}: at most ${percent(settled, 1)} refused`, percent(refusedSettled), refusedSettled <= settled);
  shouldReach(`${name}: at most ${percent(whole, 1)} refused with the start`, percent(refused), refused <= whole);
}
