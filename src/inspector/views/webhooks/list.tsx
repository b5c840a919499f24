import { DayList } from '../../parts/day-list.js';
import { Row, type RowState } from '../../parts/list.js';
import { Dot, type Tone } from '../../parts/marks.js';
import { timeOf } from '../../parts/values/times.js';
import { hrefHere, step } from '../../wire/address.js';

/** A row: an event, an endpoint or a message. */
export interface HookRow {
  readonly id: string;
  /** Time by the sandbox's clock. Undefined: an endpoint has none. */
  readonly at?: number;
  readonly title: string;
  readonly about: string | undefined;
  /** One for each receiver. */
  readonly dots: readonly { readonly tone: Tone; readonly title: string }[];
  readonly words: string;
  readonly tone: Tone;
}

interface HookListProps {
  readonly label: string;
  readonly rows: readonly HookRow[];
  readonly selected: string | undefined;
}

export const HookList = ({ rows, ...list }: HookListProps) => (
  <DayList
    {...list}
    items={rows}
    keyOf={({ id }) => id}
    atOf={({ at }) => at}
    onStep={({ id }) => step(id)}
    row={(row, state) => <Hook key={row.id} hook={row} {...state} />}
  />
);

/** More receivers than these have no dot of their own. */
const MOST_DOTS = 6;

function Hook({ hook, ...state }: RowState & { readonly hook: HookRow }) {
  const { id, at, title, about, dots, words, tone } = hook;
  return (
    <Row href={hrefHere(id)} look="hook" {...state}>
      {at !== undefined && <time>{timeOf(at).slice(0, 8)}</time>}
      <span class="operation">{title}</span>
      <span class="subject">{about}</span>
      <span class={`tone-${tone === 'good' ? 'plain' : tone}`} title={words}>
        {dots.slice(0, MOST_DOTS).map((dot, index) => (
          <Dot key={index} {...dot} />
        ))}
        {dots.length > MOST_DOTS ? ` … ${words}` : ` ${words}`}
      </span>
    </Row>
  );
}
