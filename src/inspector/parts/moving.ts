import { read } from '../wire/api.js';
import type { AgendaEntry, ClockStatus } from '../wire/sandbox.js';
import { asked } from './actions/ask.js';
import { spanOf } from './values/times.js';

/** A longer way is asked for first: only a restore leads back. */
const LONG_MS = 3_600_000;

/** Kinds of steps that a question names. */
const NAMED = 4;

/**
 * Asks before the clock goes a long way, and says how much will happen on it. It reads the clock
 * anew: a program may have moved it since the page was drawn.
 */
export async function mayMove(toOf: (clock: ClockStatus) => number | undefined): Promise<boolean> {
  const clock = await read<ClockStatus>('clock');
  const from = clock.now;
  const to = toOf(clock) ?? from;
  if (!(to - from > LONG_MS)) return true;
  const steps = await read<AgendaEntry[]>('clock/agenda', { until: Math.floor(to), limit: 1_000_000 });
  return asked(`The clock goes on by ${spanOf(to - from)}. ${tellOf(steps)}`, 'Move the clock');
}

/**
 * For example `13 things are planned until then, and more may follow: 12 × quote.expire, 1 ×
 * webhook.attempt.`
 */
function tellOf(steps: readonly AgendaEntry[]): string {
  if (steps.length === 0) return 'Nothing is planned until then.';
  const kinds = [...Map.groupBy(steps, ({ task }) => task)].sort(([, one], [, other]) => other.length - one.length);
  const named = kinds.slice(0, NAMED).map(([task, { length }]) => `${length} × ${task}`);
  const more = kinds.length > NAMED ? ' and others' : '';
  return `${steps.length} ${steps.length === 1 ? 'thing is' : 'things are'} planned until then, and more may follow: ${named.join(', ')}${more}.`;
}
