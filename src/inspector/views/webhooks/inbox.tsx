import { useState } from 'preact/hooks';
import type { WebhookOverview } from '../../../sandbox/webhooks/controls/reports.js';
import type { InboxMessage } from '../../../sandbox/webhooks/inbox/inbox.js';
import type { InboxAnswering } from '../../../sandbox/webhooks/inbox/inbox-options.js';
import { Action } from '../../parts/actions/action.js';
import { Field } from '../../parts/forms/field.js';
import { MethodForm } from '../../parts/forms/method-form.js';
import { Select } from '../../parts/forms/select.js';
import { useReading } from '../../parts/hooks.js';
import { Panel } from '../../parts/panel.js';
import { spanOf, timeOf } from '../../parts/values/format.js';
import { BASE, read } from '../../wire/api.js';
import type { Draft } from './signature.js';
import { Message, Signature, signatureIn } from './signature.js';

interface InboxProps {
  readonly webhooks: readonly WebhookOverview[];
  readonly verify: (draft: Draft) => void;
}

/** Receivers that the sandbox has itself: what has arrived, and how they answer. */
export function Inbox({ webhooks, verify }: InboxProps) {
  const { messages, problem } = useMessages();
  const { data: answers = [] } = useReading<InboxAnswering[]>('inbox/answers');
  const [name, setName] = useState('');
  const names = [...new Set([...inboxesOf(webhooks), ...messages.map((one) => one.name)])];
  const shown = name === '' ? messages : messages.filter((one) => one.name === name);
  return (
    <Panel title="Inbox" hint="What arrives in the inboxes of the sandbox, and how they answer.">
      {problem !== undefined && <p class="note">{problem}</p>}
      <div class="fields">
        <Field label="Inbox">
          <Select value={name} all="all" of={names} onChange={setName} />
        </Field>
        <Action label="Empty the inbox" method="inbox/clear" done="emptied; it answers 200 again" />
      </div>
      <AnswerForm name={name} />
      <ul class="answers">
        {answers.map((answer) => (
          <li key={answer.name ?? ''}>{answerWords(answer)}</li>
        ))}
        {answers.length === 0 && <li>Every inbox answers 200 at once.</li>}
      </ul>
      <InboxMessages messages={shown} webhooks={webhooks} verify={verify} />
    </Panel>
  );
}

function answerWords({ name, status, delayMs, body, left, strict }: InboxAnswering): string {
  const who = name === undefined ? 'Every other inbox' : name;
  const wait = delayMs === 0 ? 'at once' : `after ${spanOf(delayMs)}`;
  const count = left === 'always' ? '' : `, ${left} more ${left === 1 ? 'time' : 'times'}, then 200`;
  const text = body === '' ? '' : ` with “${body}”`;
  return `${who} answers ${status} ${wait}${text}${count}${strict ? '; 401 to an invalid delivery' : ''}.`;
}

function AnswerForm({ name }: { readonly name: string }) {
  const own = name === '' ? undefined : name;
  return (
    <>
      <MethodForm
        key={name}
        label="Set the answer"
        method="inbox/answer"
        given={own === undefined ? {} : { 'options.name': own }}
        begin={{ 'options.status': 500, 'options.times': 'always' }}
      />
      <div class="fields">
        <Action label="Answer 200 again" method="inbox/answer" args={[{ name: own }]} />
        <Action label="Refuse invalid deliveries" method="inbox/answer" args={[{ name: own, strict: true }]} />
      </div>
    </>
  );
}

/** Messages that are elements at the same time. */
const SHOWN = 50;

interface InboxMessagesProps {
  /** Newest first. */
  readonly messages: readonly InboxMessage[];
  readonly webhooks: readonly WebhookOverview[];
  readonly verify: (draft: Draft) => void;
}

function InboxMessages({ messages, webhooks, verify }: InboxMessagesProps) {
  const [count, setCount] = useState(SHOWN);
  if (messages.length === 0) return <p class="empty">Nothing has arrived yet.</p>;
  return (
    <>
      <ul class="messages" aria-label="Arrived deliveries, newest first">
        {messages.slice(0, count).map((message) => (
          <One key={message.id} message={message} webhooks={webhooks} verify={verify} />
        ))}
      </ul>
      {messages.length > count && (
        <button type="button" onClick={() => setCount(count + SHOWN)}>
          {messages.length - count} older ones: show {SHOWN} more
        </button>
      )}
    </>
  );
}

interface OneProps {
  readonly message: InboxMessage;
  readonly webhooks: readonly WebhookOverview[];
  readonly verify: (draft: Draft) => void;
}

function One({ message, webhooks, verify }: OneProps) {
  const [isOpen, setOpen] = useState(false);
  const { name, at, headers, body, verification, status, real } = message;
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span class="time">{timeOf(at)}</span> <strong>{headers['x-webhook-event'] ?? kindIn(body)}</strong>{' '}
          <span class={verification.valid ? 'tone-good' : 'tone-bad'}>
            {verification.valid ? '✓ verified' : '✗ not valid'}
          </span>{' '}
          <span class="hint">
            in {name} · answered {status}
          </span>
        </summary>
        {isOpen && (
          <>
            <Signature verdict={verification} webhooks={webhooks} />
            <button type="button" onClick={() => verify({ body, signature: signatureIn(headers), real })}>
              Verify this delivery
            </button>
            <Message title="Request" headers={headers} body={body} />
          </>
        )}
      </details>
    </li>
  );
}

/** The kind in a payload, for a delivery whose headers do not name it. */
function kindIn(body: string): string {
  try {
    const { event_type: flat, type = flat } = JSON.parse(body);
    return typeof type === 'string' ? type : 'no kind';
  } catch {
    return 'no kind';
  }
}

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

/** Messages of the inboxes, newest first. */
function useMessages(): { readonly messages: readonly InboxMessage[]; readonly problem: string | undefined } {
  const { data: messages = [], problem } = useReading('inbox', readOn);
  return { messages, problem };
}

const PATH = `${BASE}inbox/`;

/** The address of an inbox as the browser reaches it. */
export const inboxUrl = (name: string): string => location.origin + PATH + name;

/** The name of the inbox that an address leads to. */
function inboxNameOf(url: string): string | undefined {
  const { pathname } = new URL(url);
  const name = pathname.slice(PATH.length);
  return pathname.startsWith(PATH) && /^[\w-]+$/.test(name) ? name : undefined;
}

/** The inboxes that webhooks lead to, each once. */
function inboxesOf(webhooks: readonly WebhookOverview[]): string[] {
  return [...new Set(webhooks.flatMap(({ url }) => inboxNameOf(url) ?? []))];
}
