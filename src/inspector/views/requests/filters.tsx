import { type Call, calls, hasFailed } from '../../parts/calls.js';
import { Chip, type Choice, Picker, Search, Segments } from '../../parts/choices.js';
import { useHolders } from '../../parts/links/holder.js';
import { finderOf } from '../../parts/search.js';
import { timeOf } from '../../parts/values/times.js';
import { addressed, setQuery } from '../../wire/address.js';
import type { JournalEntry, TimelineEntry } from '../../wire/sandbox.js';

/**
 * Which rows there are, `requests`, `failed` or `everything`: one for each call, for each failed
 * call, or for each entry of the timeline.
 */
export const mode = addressed('show', 'requests');

/** What an entry has of the members that a filter chooses by. */
const MEMBERS = {
  account: (one: TimelineEntry) =>
    one.kind === 'posting' ? [one.from, one.to] : 'account' in one ? [one.account] : [],
  operation: (one: TimelineEntry) => (one.kind === 'request' ? [one.operation] : []),
  key: (one: TimelineEntry) => (one.kind === 'request' ? [one.apiKey] : []),
  /** Status and verdict: `401 bad_signature`. */
  cause: (one: TimelineEntry) => (one.kind === 'request' ? [causeOf(one)] : []),
} as const;

const causeOf = ({ status, verdict }: JournalEntry): string => `${status ?? 'none'} ${verdict}`;

/** The filters. All that are set must fit. */
export const filters = {
  /** Words that all stand in the request. */
  text: addressed('text'),
  account: addressed('account'),
  operation: addressed('operation'),
  key: addressed('key'),
  cause: addressed('cause'),
  /** Moments by the sandbox's clock, in ISO 8601. */
  from: addressed('from'),
  to: addressed('to'),
} as const;

export const clearFilters = (): void => setQuery(Object.fromEntries(Object.keys(filters).map((name) => [name, ''])));

export const hasFilter = (): boolean => Object.values(filters).some(({ value }) => value !== '');

/** Returns if a time is in the range that is chosen. */
export function inRange(): (at: number) => boolean {
  const [from, to] = [Date.parse(filters.from.value), Date.parse(filters.to.value)];
  return (at) => !(at < from || at > to);
}

/**
 * Returns if an entry fits all filters but the range. `found`: requests that the sandbox has found
 * by the text.
 */
export function entryFilter(found: ReadonlySet<number>): (entry: TimelineEntry) => boolean {
  const chosen = (['account', 'operation', 'key', 'cause'] as const).flatMap((name) => {
    const { value } = filters[name];
    return value === '' ? [] : [{ value, in: MEMBERS[name] }];
  });
  const hasText = finderOf(filters.text.value);
  return (entry) =>
    chosen.every((one) => one.in(entry).includes(one.value)) && (found.has(entry.seq) || hasText(entry));
}

/** The same of a call: one of its attempts fits. */
export function callFilter(found: ReadonlySet<number>): (call: Call) => boolean {
  const fits = entryFilter(found);
  const isFailed = mode.value === 'failed';
  return ({ last, attempts }) => (!isFailed || hasFailed(last)) && attempts.some(fits);
}

/** What is shown: segments, a chip for each filter, and the search. */
export function Filters() {
  const holders = useHolders();
  const all = calls.value;
  const failed = all.filter(({ last }) => hasFailed(last));
  const isOfFailed = mode.value === 'failed' || filters.cause.value !== '';
  return (
    <>
      <Segments
        label="Shown"
        value={mode.value}
        onChange={mode.set}
        of={[
          ['requests', 'Requests'],
          ['failed', 'Failed', failed.length],
          ['everything', 'Everything'],
        ]}
      />
      <Search
        label="Search the requests"
        filter={filters.text}
        title="Ids, keys, subjects, holders, reasons; and the bodies of the newest 1,000 requests"
      />
      <MemberPicker name="account" of={all} shownAs={(account) => holders.get(account) ?? account} />
      <MemberPicker name="operation" of={all} />
      <MemberPicker name="key" label="API key" of={all} shownAs={String} />
      {isOfFailed && <MemberPicker name="cause" of={failed} />}
      <TimeChip />
      {hasFilter() && (
        <button type="button" class="quiet" onClick={clearFilters}>
          Clear
        </button>
      )}
    </>
  );
}

interface MemberPickerProps {
  readonly name: keyof typeof MEMBERS;
  /** Default: its name. */
  readonly label?: string;
  /** The calls with the values to choose from. */
  readonly of: readonly Call[];
  shownAs?(value: string): string;
}

/** A filter by a member of the requests, the most frequent value first. */
function MemberPicker({ name, label = name, of, shownAs = (value) => value.replaceAll('_', ' ') }: MemberPickerProps) {
  const counted = (): Choice[] => {
    const counts = new Map<string, number>();
    for (const value of of.flatMap(({ last }) => MEMBERS[name](last))) {
      if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const sorted = [...counts].sort(([, one], [, other]) => other - one);
    return sorted.map(([value, count]) => [value, shownAs(value), count]);
  };
  return <Picker label={label} filter={filters[name]} of={counted} shownAs={shownAs} />;
}

/** A filter by time, which the chart sets, too. */
function TimeChip() {
  const [from, to] = [filters.from.value, filters.to.value];
  const shown = [from, to].some(Boolean) ? `${clock(from)} – ${clock(to)}` : '';
  return (
    <Chip label="time" shown={shown} onClear={() => setQuery({ from: '', to: '' })}>
      {() => (
        <div class="fields">
          <Moment name="from" />
          <Moment name="to" />
        </div>
      )}
    </Chip>
  );
}

const clock = (moment: string): string => (moment === '' ? '…' : timeOf(Date.parse(moment)).slice(0, 8));

/** The browser's own field for a moment has no zone. */
const Moment = ({ name }: { readonly name: 'from' | 'to' }) => (
  <label class="field">
    <span class="field-name">{name} (sandbox time, UTC)</span>
    <input
      type="datetime-local"
      step="0.001"
      value={filters[name].value.replace('Z', '')}
      onChange={({ currentTarget: { value } }) => filters[name].set(value && `${value}Z`)}
    />
  </label>
);
