import { useState } from 'preact/hooks';
import { type Call, calls, hasFailed } from '../../parts/calls.js';
import { Chip, type Choice, Picker, Search, Segments } from '../../parts/choices.js';
import { useHolders } from '../../parts/links/holder.js';
import { completeMoment, momentOf, timeOf } from '../../parts/values/times.js';
import { setQuery } from '../../wire/address.js';
import { causeOf, clearFilters, filters, hasFilter, mode } from './filter.js';

/** What is shown: segments, a chip for each filter, and the search. */
export function Filters() {
  const holders = useHolders();
  const all = calls.value;
  const failed = all.filter(({ last }) => hasFailed(last));
  const nameOf = (account: string): string => holders.get(account) ?? account;
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
        title="Ids, subjects, holders, reasons; and the bodies of the newest 1,000 requests"
      />
      <Picker
        label="account"
        filter={filters.account}
        of={() => counted(all, ({ last }) => last.account, nameOf)}
        shownAs={nameOf}
      />
      <Picker label="operation" filter={filters.operation} of={() => counted(all, ({ last }) => last.operation)} />
      {(mode.value === 'failed' || filters.cause.value !== '') && (
        <Picker
          label="cause"
          filter={filters.cause}
          of={() => counted(failed, ({ last }) => causeOf(last))}
          shownAs={plainly}
        />
      )}
      <KeyChip />
      <TimeChip />
      {hasFilter() && (
        <button type="button" class="quiet" onClick={clearFilters}>
          Clear
        </button>
      )}
    </>
  );
}

const plainly = (value: string): string => value.replaceAll('_', ' ');

/** The values of a member, the most frequent first. */
function counted(
  of: readonly Call[],
  valueIn: (call: Call) => string | undefined,
  shownAs: (value: string) => string = plainly,
): Choice[] {
  const counts = new Map<string, number>();
  for (const one of of) {
    const value = valueIn(one);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([value, count]) => [value, shownAs(value), count] as const);
}

/** A filter by a part of an API key or an idempotency key. */
function KeyChip() {
  const { key } = filters;
  return (
    <Chip label="key" shown={key.value} onClear={() => key.set('')}>
      {() => (
        <label class="field">
          <span class="field-name">A part of an API key or an idempotency key</span>
          <input value={key.value} onInput={({ currentTarget }) => key.set(currentTarget.value)} />
        </label>
      )}
    </Chip>
  );
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

function Moment({ name }: { readonly name: 'from' | 'to' }) {
  const { value, set } = filters[name];
  const [problem, setProblem] = useState('');
  const read = (text: string): void => {
    const day = /^\d\d:\d\d/.test(text) ? `${momentOf(calls.peek()[0]?.last.at ?? Date.now()).slice(0, 10)} ` : '';
    const ms = text === '' ? undefined : Date.parse(completeMoment(day + text));
    setProblem(Number.isNaN(ms) ? 'A time such as 10:30:00, or a day and a time' : '');
    if (!Number.isNaN(ms)) set(ms === undefined ? '' : new Date(ms).toISOString());
  };
  return (
    <label class="field">
      <span class="field-name">{name} (sandbox time, UTC)</span>
      <input
        placeholder="10:30:00"
        key={value}
        defaultValue={value.replace('T', ' ').replace('Z', '')}
        onChange={({ currentTarget }) => read(currentTarget.value.trim())}
      />
      {problem !== '' && <span role="alert">{problem}</span>}
    </label>
  );
}
