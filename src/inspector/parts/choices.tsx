import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { Addressed } from '../wire/address.js';
import type { Choices } from './forms/schema.js';
import { Menu } from './menu.js';

/** Something to choose: its value, its text, and how many there are of it. */
export type Choice = readonly [value: string, text: string, count?: number];

/** Values that are their own texts. */
export const asChoices = (values: readonly string[]): Choices => values.map((one) => [one, one]);

interface ChoiceProps {
  /** Name of the choice, for screen readers. */
  readonly label: string;
  readonly of: readonly Choice[];
  readonly value: string;
  onChange(value: string): void;
}

/** A few choices side by side, of which one is taken. */
export function Segments({ label, of, value, onChange }: ChoiceProps) {
  return (
    <fieldset class="segments" aria-label={label}>
      {of.map(([one, text, count]) => (
        <button type="button" key={one} aria-pressed={one === value} onClick={() => onChange(one)}>
          {text}
          {count !== undefined && <span> {count.toLocaleString('en')}</span>}
        </button>
      ))}
    </fieldset>
  );
}

interface TabsProps extends ChoiceProps {
  /** What the chosen tab shows. */
  readonly children: ComponentChildren;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Parts of one thing, of which one is shown. The arrows go from tab to tab. */
export function Tabs({ label, of, value, onChange, children }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const at = of.findIndex(([one]) => one === value);
    const next = of[(at + (STEPS[event.key] ?? 0) + of.length) % of.length];
    if (STEPS[event.key] === undefined || next === undefined) return;
    event.preventDefault();
    onChange(next[0]);
    list.current?.querySelectorAll('button')[of.indexOf(next)]?.focus();
  };
  return (
    <>
      <div role="tablist" class="tabs" aria-label={label} ref={list} onKeyDown={move}>
        {of.map(([one, text, count]) => (
          <button
            type="button"
            role="tab"
            key={one}
            id={`${id}-${one}`}
            aria-selected={one === value}
            aria-controls={`${id}-panel`}
            tabIndex={one === value ? 0 : -1}
            onClick={() => onChange(one)}
          >
            {text}
            {count !== undefined && count > 0 && <span class="soft"> {count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  );
}

interface ChipProps {
  /** For example `account`. */
  readonly label: string;
  /** The text of what is chosen. Empty: nothing is. */
  readonly shown: string;
  onClear(): void;
  /** What the chip opens to choose from; `close` closes it. */
  children(close: () => void): ComponentChildren;
}

/** A filter: dashed while it is not set, and with a way to take it away when it is. */
export function Chip({ label, shown, onClear, children }: ChipProps) {
  return (
    <span class={shown === '' ? 'chip' : 'chip is-set'}>
      <Menu label={`Filter by ${label}`} before="Filter by " title={shown === '' ? `+ ${label}` : `${label}: ${shown}`}>
        {children}
      </Menu>
      {shown !== '' && (
        <button type="button" class="clear" aria-label={`Clear the filter by ${label}`} onClick={onClear}>
          ✕
        </button>
      )}
    </span>
  );
}

interface ChoiceListProps {
  readonly label: string;
  readonly of: readonly Choice[];
  onChoose(value: string): void;
}

/** More choices than this have a field that narrows them. */
const MANY = 8;

/** Choices below one another, for a chip or a menu. */
export function ChoiceList({ label, of, onChoose }: ChoiceListProps) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = of.filter(([value, name]) => `${value} ${name}`.toLowerCase().includes(wanted));
  return (
    <>
      {of.length > MANY && (
        <input
          type="search"
          aria-label={`Narrow ${label}`}
          placeholder={`Narrow ${of.length} choices`}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      <ul class="choices" aria-label={label}>
        {found.slice(0, 100).map(([value, name, count]) => (
          <li key={value}>
            <button type="button" onClick={() => onChoose(value)}>
              {name}
              {count !== undefined && <span class="soft"> {count.toLocaleString('en')}</span>}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="soft">Nothing to choose from.</p>}
    </>
  );
}

interface PickerProps {
  /** For example `account`. */
  readonly label: string;
  readonly filter: Addressed;
  /** Called when the chip opens. */
  readonly of: () => readonly Choice[];
  shownAs?(value: string): string;
}

/** A filter by one of some values. */
export function Picker({ label, filter: { value, set }, of, shownAs = (text) => text }: PickerProps) {
  return (
    <Chip label={label} shown={value === '' ? '' : shownAs(value)} onClear={() => set('')}>
      {(close) => (
        <ChoiceList
          label={`${label}s`}
          of={of()}
          onChoose={(next) => {
            set(next);
            close();
          }}
        />
      )}
    </Chip>
  );
}

interface SearchProps {
  readonly label: string;
  readonly filter: Addressed;
  /** What it looks into. */
  readonly title: string;
}

/** The search of a view, among its filters. The key `/` leads to it. */
export const Search = ({ label, filter: { value, set }, title }: SearchProps) => (
  <input
    type="search"
    class="chip"
    aria-label={label}
    placeholder="Search"
    title={title}
    value={value}
    onInput={({ currentTarget }) => set(currentTarget.value)}
  />
);
