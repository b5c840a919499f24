import { useMemo } from 'preact/hooks';
import { Action } from '../../parts/actions/button.js';
import { asChoices, Picker } from '../../parts/choices.js';
import { MethodForm } from '../../parts/forms/method-form.js';
import { useReading } from '../../parts/hooks.js';
import { Verdict } from '../../parts/marks.js';
import { Missing, Pane } from '../../parts/pane.js';
import { momentOf, spanOf } from '../../parts/values/times.js';
import { counted } from '../../parts/values/words.js';
import { addressed, hrefHere } from '../../wire/address.js';
import { read } from '../../wire/api.js';
import type { InboxAnswering, InboxMessage } from '../../wire/sandbox.js';
import { Exchange } from './exchange.js';
import { HookList, type HookRow } from './list.js';

/** The inbox whose messages are listed. Empty: all. */
const inbox = addressed('inbox');

/** Messages that the page keeps, as the sandbox does. */
const LIMIT = 1_000;

/** Reads the last of the known messages again, and what follows it: without it all have gone. */
async function readOn(path: string, known: readonly InboxMessage[] = []): Promise<readonly InboxMessage[]> {
  const [last] = known;
  const found = await read<InboxMessage[]>(path, { after: Math.max(0, (last?.seq ?? 0) - 1) });
  const isSame = last !== undefined && found[0]?.id === last.id;
  const fresh = (isSame ? found.slice(1) : found).reverse();
  return [...fresh, ...(isSame ? known : [])].slice(0, LIMIT);
}

/** What has arrived in the inboxes of the sandbox, newest first. */
export const useMessages = (): readonly InboxMessage[] => useReading('inbox', readOn).data ?? [];

export function InboxFilter() {
  const names = new Set(useMessages().map(({ name }) => name));
  return <Picker label="inbox" filter={inbox} of={() => asChoices([...names])} />;
}

export function MessageList({ selected }: { readonly selected: string | undefined }) {
  const [messages, name] = [useMessages(), inbox.value];
  const rows = useMemo(() => messages.filter((one) => name === '' || one.name === name).map(rowOf), [messages, name]);
  if (rows.length === 0) return <p class="empty">Nothing has arrived yet.</p>;
  return <HookList label="Messages, newest first" rows={rows} selected={selected} />;
}

function rowOf({ id, at, name, headers, body, status, verification: { valid, problem } }: InboxMessage): HookRow {
  const [tone, verdict] = valid ? (['good', 'verified'] as const) : (['bad', `not valid: ${problem}`] as const);
  // Not every delivery names its kind in a header.
  const title = headers['x-webhook-event'] ?? /"(?:event_)?type":"([^"]+)"/.exec(body)?.[1] ?? 'no kind';
  const words = status === 200 ? verdict : `${verdict}, got ${status}`;
  return { id, at, dots: [{ tone, title: verdict }], title, about: name, words, tone };
}

/** A message: its verification, and all of it. */
export function MessagePane({ id }: { readonly id: string }) {
  const message = useMessages().find((one) => one.id === id);
  if (message === undefined) return <Missing what="Message" closeHref={hrefHere()} />;
  const { at, name, status, body, verification } = message;
  const { title, tone } = rowOf(message);
  return (
    <Pane label={`Message ${id}`} title={title} closeHref={hrefHere()}>
      <Verdict tone={tone} title={verification.problem ?? 'The delivery is valid.'}>
        It arrived at {momentOf(at)}, and the inbox {name} responded {status}.
      </Verdict>
      <Exchange sent={message} body={body} verdict={verification} />
    </Pane>
  );
}

/** How the inboxes respond, and what changes it. */
export function Responses() {
  const { data: answers = [] } = useReading<readonly InboxAnswering[]>('inbox/answers');
  const name = inbox.value === '' ? undefined : inbox.value;
  const begin = { 'options.name': name, 'options.status': 500, 'options.times': 'always' };
  return (
    <>
      {answers.length === 0 && <p>Every inbox responds 200 at once.</p>}
      {answers.map((answer) => (
        <p key={answer.name}>{responseWords(answer)}</p>
      ))}
      <p class="actions">
        <Action label="Respond 200 again" method="inbox/answer" args={[{ name }]} />
        <Action label="Reject invalid deliveries" method="inbox/answer" args={[{ name, strict: true }]} />
        <Action label="Empty" of="the inboxes" method="inbox/clear" ask={() => 'Removes all messages and responses.'} />
      </p>
      <MethodForm key={name} label="Set the response" method="inbox/answer" begin={begin} />
    </>
  );
}

function responseWords({ name, status, delayMs, body, left, strict }: InboxAnswering): string {
  const who = name === undefined ? 'Every other inbox' : `Inbox ${name}`;
  const wait = delayMs === 0 ? 'at once' : `after ${spanOf(delayMs)}`;
  const count = left === 'always' ? '' : `, ${counted(left, 'more time')}, then 200`;
  const text = body === '' ? '' : ` with “${body}”`;
  return `${who} responds ${status} ${wait}${text}${count}${strict ? '; 401 to an invalid delivery' : ''}.`;
}
