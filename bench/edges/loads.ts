import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../../test/support/random.js';
import type { Kind, Subject } from './subjects.js';
import type { Tally } from './tally.js';

/** How calls are made. */
export type Load =
  /**
   * So many callers, each of which makes its next call when its last one is over. `only` is the kind of
   * all calls. Without it one in ten is a keyed write, and the others are reads.
   */
  | { readonly kind: 'closed'; readonly callers: number; readonly seconds: number; readonly only?: Kind }
  /** The same, until so many calls are made. */
  | { readonly kind: 'counted'; readonly callers: number; readonly calls: number }
  /** Calls that come evenly, however many are still waiting. */
  | { readonly kind: 'open'; readonly perSecond: number; readonly seconds: number }
  /** All at once. */
  | { readonly kind: 'burst'; readonly calls: number }
  /** So many clients make a call each after every pause of this many ms, least and most. */
  | {
      readonly kind: 'pauses';
      readonly clients: number;
      readonly calls: number;
      readonly pause: readonly [number, number];
    };

/** One call in so many is a write. */
const WRITE_EVERY = 10;
/** What calls after pauses do in turn. */
const AFTER_PAUSES: readonly Kind[] = ['unkeyed write', 'read', 'keyed write'];

/** Makes the calls; `onHalf` is called once, when half of the time of a load that has halves is over. */
export async function makeCalls(
  load: Load,
  subjects: readonly Subject[],
  tally: Tally,
  onHalf: () => void,
): Promise<void> {
  const [subject] = subjects;
  if (subject === undefined) throw new Error('nobody makes calls');
  const only = load.kind === 'closed' ? load.only : undefined;
  const kindOf = (index: number): Kind => only ?? (index % WRITE_EVERY === WRITE_EVERY - 1 ? 'keyed write' : 'read');
  const call = (index: number) => subject.call(kindOf(index), index);
  if (load.kind === 'closed') await closed(load, call, tally, onHalf);
  else if (load.kind === 'open') await open(load, call, tally, onHalf);
  else if (load.kind === 'counted') await counted(load, call, tally);
  else if (load.kind === 'burst') await counted({ callers: load.calls, calls: load.calls }, call, tally);
  else await Promise.all(subjects.map((one, index) => afterPauses(load, one, tally, index)));
}

type Call = (index: number) => Promise<boolean>;

async function closed(
  { callers, seconds }: { callers: number; seconds: number },
  call: Call,
  tally: Tally,
  onHalf: () => void,
) {
  const end = performance.now() + seconds * 1000;
  const half = setTimeout(onHalf, seconds * 500);
  let index = 0;
  const caller = async () => {
    while (performance.now() < end) await tally.count(performance.now(), call(index++));
  };
  await Promise.all(Array.from({ length: callers }, caller));
  clearTimeout(half);
}

async function counted({ callers, calls }: { callers: number; calls: number }, call: Call, tally: Tally) {
  let index = 0;
  const caller = async () => {
    while (index < calls) await tally.count(performance.now(), call(index++));
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

async function open(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  call: Call,
  tally: Tally,
  onHalf: () => void,
) {
  const begun = performance.now();
  const running: Promise<void>[] = [];
  const count = perSecond * seconds;
  for (let index = 0; index < count; index++) {
    if (index === count / 2) onHalf();
    const due = begun + (index / perSecond) * 1000;
    const left = due - performance.now();
    if (left > 0) await sleep(left);
    running.push(tally.count(due, call(index)));
  }
  await Promise.all(running);
}

async function afterPauses(
  { calls, pause: [least, most] }: { calls: number; pause: readonly [number, number] },
  subject: Subject,
  tally: Tally,
  seed: number,
) {
  const random = seeded(seed + 1);
  for (let index = 0; index < calls; index++) {
    const kind = AFTER_PAUSES[index % AFTER_PAUSES.length] ?? 'read';
    await tally.count(performance.now(), subject.call(kind, index));
    await sleep(least + random() * (most - least));
  }
}
