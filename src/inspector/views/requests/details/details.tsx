import { entryAt } from '../../../parts/entries/find.js';
import { summaryOf } from '../../../parts/entries/summary.js';
import { Pane } from '../../../parts/pane.js';
import { hrefHere } from '../../../wire/address.js';
import { live } from '../../../wire/live.js';

export function Details({ id }: { readonly id: string }) {
  const entry = entryAt(live.entries.value, Number(id));
  return (
    <Pane label={`Entry ${id}`} title={entry === undefined ? id : summaryOf(entry).title} closeHref={hrefHere()}>
      <p>…</p>
    </Pane>
  );
}
