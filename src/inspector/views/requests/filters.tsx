import { type Call, calls, hasFailed } from '../../parts/calls.js';
import { Chip, type Choice, Picker, Search, Segments } from '../../parts/choices.js';
import { useHolders } from '../../parts/links/holder.js';
import { timeOf } from '../../parts/values/times.js';
import { setQuery } from '../../wire/address.js';
import { clearFilters, filters, hasFilter, MEMBERS, mode } from './filter.js';

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
  /** The calls with the values to choose from. */
  readonly of: readonly Call[];
  shownAs?(value: string): string;
}

/** A filter by a member of the requests, the most frequent value first. */
function MemberPicker({ name, of, shownAs = (value) => value.replaceAll('_', ' ') }: MemberPickerProps) {
  const counted = (): Choice[] => {
    const counts = new Map<string, number>();
    for (const value of of.flatMap(({ last }) => MEMBERS[name](last))) {
      if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const sorted = [...counts].sort(([, one], [, other]) => other - one);
    return sorted.map(([value, count]) => [value, shownAs(value), count]);
  };
  return <Picker label={name} filter={filters[name]} of={counted} shownAs={shownAs} />;
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
