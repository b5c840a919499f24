import type { AgendaEntry } from '../../../sandbox/drive/look/agenda.js';
import { spanOf } from '../../parts/values/format.js';

/** The kinds of what is to come, each a line of the ruler. */
export const LANES = ['expiries', 'deliveries and retries', 'steps', 'ends of faults and scenarios'] as const;

type Lane = (typeof LANES)[number];

export function laneOf({ task }: AgendaEntry): Lane {
  if (task.endsWith('.expire')) return 'expiries';
  if (task === 'webhook.attempt') return 'deliveries and retries';
  return task.endsWith('.end') ? 'ends of faults and scenarios' : 'steps';
}

const LANE_HEIGHT = 40;
const TOP = 22;

/** Marks of one lane that lie closer are one mark. */
const PLACES = 120;

const TICKS_MS = [1_000, 10_000, 60_000, 600_000, 3_600_000, 86_400_000, 864_000_000, 8_640_000_000];

/** Shortest time that the ruler shows. */
const MIN_SPAN_MS = 60_000;

interface RulerProps {
  readonly entries: readonly AgendaEntry[];
  readonly now: number;
}

/** The same as the list, drawn: near moments have more room than far ones. */
export function Ruler({ entries, now }: RulerProps) {
  const span = Math.max(MIN_SPAN_MS, (entries.at(-1)?.at ?? now) - now);
  const shareOf = (ms: number): number => Math.log1p(Math.max(0, ms) / 1_000) / Math.log1p(span / 1_000);
  const xOf = (share: number): string => `${1 + share * 96}%`;
  const bottom = TOP + LANES.length * LANE_HEIGHT;
  return (
    <svg class="ruler" role="img" aria-label={summaryOf(entries)} width="100%" height={bottom + 4}>
      {TICKS_MS.filter((ms) => ms <= span).map((ms) => (
        <g key={ms}>
          <line class="tick" x1={xOf(shareOf(ms))} x2={xOf(shareOf(ms))} y1={TOP - 6} y2={bottom} />
          <text x={xOf(shareOf(ms))} y={TOP - 10} text-anchor="middle">
            {spanOf(ms)}
          </text>
        </g>
      ))}
      {LANES.map((lane, index) => {
        const y = TOP + index * LANE_HEIGHT;
        return (
          <g key={lane}>
            <text x="0" y={y + 12}>
              {lane}
            </text>
            <line class="lane" x1="0" x2="100%" y1={y + 26} y2={y + 26} />
            {marksOf(entries, lane, (at) => shareOf(at - now)).map(([place, found]) => (
              <circle key={place} class="mark" cx={xOf(place / PLACES)} cy={y + 26} r={4 + Math.log2(found.length)}>
                <title>{found.length === 1 ? found[0]?.what : `${found.length} ${lane}`}</title>
              </circle>
            ))}
          </g>
        );
      })}
    </svg>
  );
}

/** Coming steps of a lane, by their place on the ruler. */
function marksOf(
  entries: readonly AgendaEntry[],
  lane: Lane,
  shareAt: (at: number) => number,
): [place: number, found: AgendaEntry[]][] {
  const places = new Map<number, AgendaEntry[]>();
  for (const entry of entries) {
    if (laneOf(entry) !== lane) continue;
    const place = Math.round(shareAt(entry.at) * PLACES);
    places.set(place, [...(places.get(place) ?? []), entry]);
  }
  return [...places];
}

function summaryOf(entries: readonly AgendaEntry[]): string {
  const counts = LANES.map((lane) => `${lane} ${entries.filter((entry) => laneOf(entry) === lane).length}`);
  return `Ruler of what is to come: ${counts.join(', ')}`;
}
