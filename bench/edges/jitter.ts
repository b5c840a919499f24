import { failed, round, table } from '../lanes/figures.js';
import type { Scale } from './main.js';
import { Measured, type Result } from './measured.js';
import { answering, type Site, type Way } from './site.js';
import { mustBeRight, percent, refusedShare, refusedShareSettled, shouldReach } from './verdict.js';

const CALLERS = 64;

/** What a quiet machine reaches over each way: times one call at a time, and refusals for each call. */
const TARGETS = { 'HTTP/1.1': [2, 0.05], 'HTTP/2': [20, 0.01] } as const;

/** 64 callers over a restless link to nginx, against one call at a time over the same link; the service takes 5 to 15 ms. */
export async function jitter(site: Site, { seconds }: Scale): Promise<void> {
  const [, nginx = site.nginxTls] = site.plain;
  const rows: Record<string, string | number>[] = [];
  const verdicts: (() => void)[] = [];
  for (const way of [nginx, site.nginxHttp2]) {
    const strict = await measure(site, way, 'strict', seconds(4, 1));
    const ours = await measure(site, way, 'default', seconds(8, 2.5));
    const times = rateOf(ours) / rateOf(strict);
    rows.push({
      edge: way.name,
      'one at a time: calls/s': round(rateOf(strict)),
      'calls/s': round(rateOf(ours)),
      times: round(times, 1),
      refused: percent(refusedShareSettled(ours)),
      'with the start': percent(refusedShare(ours)),
      p50: round(ours.whole.p50),
      p95: round(ours.whole.p95),
      failed: failed([ours]),
      wrong: ours.wrong,
      way: ours.way ?? '–',
      'gap ms': round(ours.gap ?? Number.NaN, 2),
    });
    verdicts.push(() => judge(way, times, ours));
  }
  table(rows);
  for (const verdict of verdicts) verdict();
}

const rateOf = ({ settled, whole }: Result): number => (settled ?? whole).rate;

function measure(site: Site, way: Way, subject: 'default' | 'strict', seconds: number): Promise<Result> {
  return site.overLink(way, async ({ address }) => {
    const measured = await Measured.start(site.backend);
    const load = { kind: 'closed', callers: CALLERS, seconds } as const;
    const result = await measured.run(subject, address, load, { ...answering(10), answer: [5, 15] });
    await measured.stop();
    return result;
  });
}

function judge({ name, protocol }: Way, times: number, ours: Result): void {
  const where = `${name}, restless link`;
  mustBeRight(where, ours);
  const [least, refused] = TARGETS[protocol];
  shouldReach(`${where}: at least ${least} times one at a time`, round(times, 1), times >= least);
  const share = refusedShareSettled(ours);
  shouldReach(`${where}: at most ${percent(refused, 0)} refused`, percent(share), share <= refused);
}
