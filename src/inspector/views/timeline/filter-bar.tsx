import type { ComponentChildren } from 'preact';
import { Select } from '../../parts/forms/select.js';
import { KINDS } from '../../wire/live.js';
import { type Choices, EVERYTHING, type Filter } from './filter.js';

const STATUSES = [
  ['2xx', '2xx: success'],
  ['3xx', '3xx: redirect'],
  ['4xx', '4xx: refused'],
  ['5xx', '5xx: failed'],
  ['none', 'no answer'],
] as const;

/** Members of entries whose values come with the entries. */
const MEMBERS = [
  ['operation', 'Operation', 'operations'],
  ['verdict', 'Verdict', 'verdicts'],
  ['account', 'Account', 'accounts'],
] as const;

interface FilterBarProps {
  readonly filter: Filter;
  readonly choices: Choices;
  /** On a narrow page they are folded until the reader wants them. */
  readonly isOpen: boolean;
  onChange(filter: Filter): void;
  /** Further fields. */
  readonly children: ComponentChildren;
}

/** The filters beside the search. All that are set must fit. */
export function FilterBar({ filter, choices, isOpen, onChange, children }: FilterBarProps) {
  const set = (name: keyof Filter) => (value: string) => onChange({ ...filter, [name]: value });
  const { text: _, ...others } = filter;
  const isSet = Object.values(others).some((value) => value !== '');
  return (
    <fieldset class={isOpen || isSet ? 'filters is-open' : 'filters'}>
      <legend class="hidden">Filters</legend>
      <Select label="Kind of entry" all="any kind" value={filter.kind} onChange={set('kind')} of={KINDS} />
      <Select label="Status" all="any status" value={filter.status} onChange={set('status')} of={STATUSES} />
      {MEMBERS.map(([name, label, values]) => (
        <Select
          key={name}
          label={label}
          all={`any ${name}`}
          value={filter[name]}
          onChange={set(name)}
          of={[...choices[values]].sort()}
        />
      ))}
      <input
        aria-label="Key"
        placeholder="any key"
        title="A part of an API key or an idempotency key"
        value={filter.key}
        onInput={(event) => set('key')(event.currentTarget.value)}
      />
      {children}
      {isSet && (
        <button type="button" onClick={() => onChange({ ...EVERYTHING, text: filter.text })}>
          Clear filters
        </button>
      )}
    </fieldset>
  );
}
