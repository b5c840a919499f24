import { useState } from 'preact/hooks';
import type { WebhookOverview } from '../../../../sandbox/webhooks/controls/reports.js';
import type { InboxAnswering } from '../../../../sandbox/webhooks/inbox/inbox-options.js';
import { Action } from '../../../parts/actions/action.js';
import { Field } from '../../../parts/forms/field.js';
import { MethodForm } from '../../../parts/forms/method-form.js';
import { useReading } from '../../../parts/hooks.js';
import { Panel } from '../../../parts/panel.js';
import { spanOf } from '../../../parts/values/format.js';
import { asChoices, Select } from '../select.js';
import type { Draft } from '../signature/verify.js';
import { InboxMessages } from './inbox-messages.js';
import { inboxesOf } from './inbox-names.js';
import { useMessages } from './use-messages.js';

interface InboxProps {
  readonly webhooks: readonly WebhookOverview[];
  readonly verify: (draft: Draft) => void;
}

/** Receivers of the sandbox's own: what has arrived, and how they answer. */
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
          <Select value={name} choices={[['', 'all'], ...asChoices(names)]} choose={setName} />
        </Field>
        <Action label="Empty the inbox" method="inbox/clear" done="emptied, and answers 200 again" />
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

function answerWords({ name, status, delay, body, left, strict }: InboxAnswering): string {
  const who = name === undefined ? 'Every other inbox' : name;
  const wait = delay === 0 ? 'at once' : `after ${spanOf(delay)}`;
  const count = left === 'always' ? '' : `, ${left} more ${left === 1 ? 'time' : 'times'}, then 200`;
  const text = body === '' ? '' : ` with “${body}”`;
  return `${who} answers ${status} ${wait}${text}${count}${strict ? '; 401 to what is not valid' : ''}.`;
}

function AnswerForm({ name }: { readonly name: string }) {
  const own = name === '' ? undefined : name;
  return (
    <>
      <MethodForm
        key={name}
        label="Answer so"
        method="inbox/answer"
        given={own === undefined ? {} : { 'options.name': own }}
        begin={{ 'options.status': 500, 'options.times': 'always' }}
      />
      <div class="fields">
        <Action label="Answer 200 again" method="inbox/answer" args={[{ name: own }]} />
        <Action label="Refuse what is not valid" method="inbox/answer" args={[{ name: own, strict: true }]} />
      </div>
    </>
  );
}
