import type { TargetedKeyboardEvent } from 'preact';
import { spanOf } from '../../parts/values/times.js';
import type { AgendaEntry } from '../../wire/sandbox.js';

/** The kinds of what is to come, each a line of the ruler. */
const LANES = ['expiries', 'deliveries', 'steps', 'faults'] as const;

type Lane = (typeof LANES)[number];

export function laneOf({ task }: AgendaEntry): Lane {
  if (task.endsWith('.expire')) return 'expiries';
  if (task === 'webhook.attempt') return 'deliveries';
  return task === 'trouble.end' ? 'faults' : 'steps';
}

/** Marks of one lane that lie closer are one mark. */
const PLACES = 40;

const TICKS_MS = [1_000, 10_000, 60_000, 600_000, 3_600_000, 86_400_000, 864_000_000, 8_640_000_000];

/** Shortest time that the ruler shows. */
const MIN_SPAN_MS = 60_000;

interface RulerProps {
  readonly entries: readonly AgendaEntry[];
  readonly now: number;
  jump(at: number): void;
  /** The only kind that the list shows. Empty: all. */
  readonly chosen: string;
  choose(lane: string): void;
}

/**
 * What is to come, drawn: near moments have more room than far ones. A click on a mark jumps there.
 */
export function Ruler({ entries, now, jump, chosen, choose }: RulerProps) {
  const spanMs = Math.max(MIN_SPAN_MS, (entries.at(-1)?.at ?? now) - now);
  const shareOf = (ms: number): number => Math.log1p(Math.max(0, ms) / 1_000) / Math.log1p(spanMs / 1_000);
  const left = (share: number) => ({ left: `${share * 100}%` });
  const placeOf = ({ at }: AgendaEntry): number => Math.round(shareOf(at - now) * PLACES) / PLACES;
  const lanes = LANES.map(
    (lane) =>
      [
        lane,
        Map.groupBy(
          entries.filter((one) => laneOf(one) === lane),
          placeOf,
        ),
      ] as const,
  );
  const first = lanes.find(([, marks]) => marks.size > 0)?.[0];
  return (
    <section class="ruler" aria-label="Ruler of what is to come" onKeyDown={walk}>
      <div class="track">
        {TICKS_MS.filter((ms) => ms <= spanMs).map((ms) => (
          <span key={ms} class="tick" style={left(shareOf(ms))}>
            {spanOf(ms)}
          </span>
        ))}
      </div>
      {lanes.map(([lane, marks]) => (
        <div key={lane} class="track">
          <button
            type="button"
            class="quiet"
            aria-pressed={lane === chosen}
            title={`List ${lane} alone`}
            onClick={() => choose(lane === chosen ? '' : lane)}
          >
            {lane}
          </button>
          {[...marks].map(([share, found], index) => {
            // A jump to the last of its moments brings all of them about.
            const at = Math.max(...found.map((one) => one.at));
            const what = found.length === 1 ? found[0]?.what : `${found.length} ${lane}`;
            const name = `Jump ${spanOf(Math.max(0, at - now))} ahead: ${what}`;
            return (
              <button
                type="button"
                class="moment"
                key={share}
                style={left(share)}
                tabIndex={lane === first && index === 0 ? 0 : -1}
                title={name}
                aria-label={name}
                onClick={() => jump(at)}
              />
            );
          })}
        </div>
      ))}
    </section>
  );
}

/** The arrows go from mark to mark. */
function walk(event: TargetedKeyboardEvent<HTMLElement>): void {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const marks = [...event.currentTarget.querySelectorAll<HTMLElement>('.moment')];
  const next = marks[marks.indexOf(document.activeElement as HTMLElement) + (by ?? 0)];
  if (by !== undefined) next?.focus();
}
