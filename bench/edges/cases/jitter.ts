import { figure, table } from '../../figures.js';
import type { Result } from '../measured.js';
import type { Scale } from '../scale.js';
import type { Behaviour } from '../service.js';
import { answering, type Site, type Way } from '../site.js';
import type { SubjectName } from '../subjects.js';
import { failed, mustBeRight, percent, refusedShare, refusedShareSettled, shouldReach } from '../verdict.js';

const CALLERS = 64;

/** What a quiet machine reaches over each way: times one call at a time, and refusals for each call. */
const TARGETS = { 'HTTP/1.1': [2, 0.05], 'HTTP/2': [20, 0.01] } as const;

/** 64 callers over a restless link to nginx, against one call at a time over the same link; the service takes 5 to 15 ms. */
export async function jitter(site: Site, { seconds, measurer }: Scale): Promise<void> {
  const [, nginx = site.nginxTls] = site.plain;
  const behaviour: Behaviour = { ...answering(10), answer: [5, 15] };
  const measure = (way: Way, subject: SubjectName, seconds: number) =>
    site.overLink(way, ({ address }) =>
      measurer.run(subject, address, { kind: 'closed', callers: CALLERS, seconds }, behaviour),
    );
  const rows: Record<string, string | number>[] = [];
  const verdicts: (() => void)[] = [];
  for (const way of [nginx, site.nginxHttp2]) {
    const strict = await measure(way, 'strict', seconds(4, 1));
    const ours = await measure(way, 'default', seconds(8, 2.5));
    const times = rateOf(ours) / rateOf(strict);
    rows.push({
      edge: way.name,
      'one at a time: calls/s': figure(rateOf(strict)),
      'calls/s': figure(rateOf(ours)),
      times: figure(times, 1),
      refused: percent(refusedShareSettled(ours)),
      'with the start': percent(refusedShare(ours)),
      p50: figure(ours.whole.p50),
      p95: figure(ours.whole.p95),
      failed: failed(ours),
      wrong: ours.wrong,
      way: ours.way ?? '–',
      'gap ms': figure(ours.gap, 2),
    });
    verdicts.push(() => judge(way, times, ours));
  }
  console.log(`${table(rows)}\n`);
  for (const verdict of verdicts) verdict();
}

const rateOf = ({ settled, whole }: Result): number => (settled ?? whole).rate;

function judge({ name, protocol }: Way, times: number, ours: Result): void {
  const where = `${name}, restless link`;
  mustBeRight(where, ours);
  const [least, refused] = TARGETS[protocol];
  shouldReach(`${where}: at least ${least} times one at a time`, figure(times, 1), times >= least);
  const share = refusedShareSettled(ours);
  shouldReach(`${where}: at most ${percent(refused, 0)} refused`, percent(share), share <= refused);
}
