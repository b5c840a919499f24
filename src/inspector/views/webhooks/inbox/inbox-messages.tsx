import { useState } from 'preact/hooks';
import type { WebhookOverview } from '../../../../sandbox/webhooks/controls/reports.js';
import type { InboxMessage } from '../../../../sandbox/webhooks/inbox/inbox.js';
import { timeOf } from '../../../parts/values/format.js';
import { Message } from '../signature/message.js';
import { Signature } from '../signature/signature.js';
import type { Draft } from '../signature/verify.js';

/** Messages that are elements at the same time. */
const SHOWN = 50;

interface InboxMessagesProps {
  /** Newest first. */
  readonly messages: readonly InboxMessage[];
  readonly webhooks: readonly WebhookOverview[];
  readonly verify: (draft: Draft) => void;
}

export function InboxMessages({ messages, webhooks, verify }: InboxMessagesProps) {
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
          <span class="time">{timeOf(at)}</span> <strong>{headers['x-webhook-event'] ?? 'no X-Webhook-Event'}</strong>{' '}
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
            <button
              type="button"
              onClick={() => verify({ body, header: headers['x-signature'] ?? '', secret: '', real })}
            >
              Verify this delivery
            </button>
            <Message title="Request" headers={headers} body={body} />
          </>
        )}
      </details>
    </li>
  );
}
