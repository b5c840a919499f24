import { useState } from 'preact/hooks';
import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import { download } from '../../parts/actions/download.js';
import { gather } from './export/gather.js';
import { harOf } from './export/har.js';
import { markdownOf } from './export/markdown.js';

/** Files by the name of their form. */
const FORMS = {
  HAR: {
    name: 'sandbox.har',
    type: 'application/json',
    write: (gathered: Awaited<ReturnType<typeof gather>>) => harOf(gathered, location.origin),
  },
  JSON: {
    name: 'sandbox-timeline.json',
    type: 'application/json',
    write: (gathered: Awaited<ReturnType<typeof gather>>) => JSON.stringify(gathered, null, 2),
  },
  Markdown: { name: 'sandbox-timeline.md', type: 'text/markdown', write: markdownOf },
} as const;

/** Writes what is shown into a file: for a browser's tools, for a program, or for a ticket. */
export function Export({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  const [said, setSaid] = useState('');
  const write = async (form: keyof typeof FORMS): Promise<void> => {
    const { name, type, write: textOf } = FORMS[form];
    setSaid('reading …');
    try {
      const gathered = await gather(entries, (done) => setSaid(`reading … ${done}`));
      download(name, type, textOf(gathered));
      setSaid(`${name} is written`);
    } catch (error) {
      setSaid((error as Error).message);
    }
  };
  return (
    <fieldset class="export">
      <legend class="hidden">Export what is shown</legend>
      {(Object.keys(FORMS) as (keyof typeof FORMS)[]).map((form) => (
        <button type="button" key={form} disabled={entries.length === 0} onClick={() => write(form)}>
          {form}
        </button>
      ))}
      <span role="status">{said}</span>
    </fieldset>
  );
}
