import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import type { JournalEntry } from '../../../sandbox/service/journal/journal.js';
import { SearchField } from '../../parts/forms/search-field.js';
import { go } from '../../parts/links/route.js';
import { read } from '../../wire/api.js';
import type { Live } from '../../wire/live.js';

/** The id that an error answer carries, wherever it stands in a line of a log. */
const INSTANCE = /\breq_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;

interface SearchProps {
  readonly live: Live;
  readonly text: string;
  /** The entries that are shown: Enter opens the first one. */
  readonly first: { readonly current: readonly TimelineEntry[] };
  onChange(text: string): void;
  /** Stands beside the field. */
  readonly children: ComponentChildren;
}

/** Finds entries by their text. An `instance` opens the request that it was answered to. */
export function Search({ live, text, first, onChange, children }: SearchProps) {
  const [said, setSaid] = useState('');
  const search = (given: string): void => {
    const instance = INSTANCE.exec(given)?.[0].toLowerCase();
    onChange(instance ?? given);
    setSaid('');
    if (instance === undefined) return;
    open(live, instance).then(setSaid, (error: Error) => setSaid(error.message));
  };
  const openFirst = (): void => {
    const [entry] = first.current;
    if (entry !== undefined) go('timeline', entry.seq);
  };
  return (
    <search class="bar">
      <SearchField
        label="Search the timeline"
        placeholder="Search, or paste an error’s instance"
        value={text}
        onText={search}
        onEnter={openFirst}
      />
      {children}
      <span role="status" class={said === '' ? 'hidden' : 'hint'}>
        {said}
      </span>
    </search>
  );
}

/** Opens the request whose error answer has an instance. */
async function open(live: Live, instance: string): Promise<string> {
  const isIt = (entry: TimelineEntry): boolean => entry.kind === 'request' && entry.instance === instance;
  const found = live.entries.find(isIt) ?? (await read<JournalEntry[]>('journal', { instance }))[0];
  if (found === undefined) return 'No request that the sandbox still knows was answered with this instance.';
  go('timeline', found.seq);
  return `Entry ${found.seq} is open.`;
}
