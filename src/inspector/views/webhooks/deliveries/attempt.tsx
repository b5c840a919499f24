import { useState } from 'preact/hooks';
import type { WebhookOverview } from '../../../../sandbox/webhooks/controls/reports.js';
import type { DeliveryAttempt } from '../../../../sandbox/webhooks/delivery/delivery.js';
import type { WebhookVerdict } from '../../../../sandbox/webhooks/verify/verify.js';
import { spanOf, timeOf } from '../../../parts/values/format.js';
import { Message } from '../signature/message.js';
import { Signature } from '../signature/signature.js';
import type { Draft } from '../signature/verify.js';
import { isGood, outcomeOf } from './outcome.js';

interface AttemptProps {
  readonly number: number;
  /** At first. */
  readonly isOpen: boolean;
  readonly attempt: DeliveryAttempt;
  /** Undefined: it is not known. */
  readonly verdict: WebhookVerdict | undefined;
  readonly webhooks: readonly WebhookOverview[];
  readonly verify: (draft: Draft) => void;
}

/** One attempt: what was sent, how it was signed, and what was answered. */
export function Attempt({ number, isOpen: isOpenAtFirst, attempt, verdict, webhooks, verify }: AttemptProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { at, ms, request, answer, redelivery, copy, fault, status } = attempt;
  const kind = copy === true ? 'a copy' : redelivery ? 'asked for' : 'planned';
  return (
    <details class="attempt" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>{number}</strong> <span class="time">{timeOf(at)}</span>{' '}
        <span class={isGood(status) ? 'tone-good' : 'tone-bad'}>{outcomeOf(attempt)}</span>{' '}
        <span class="hint">
          · {spanOf(ms)} · {kind}
          {fault !== undefined && ` · struck by ${fault}`}
        </span>
      </summary>
      {isOpen && request === undefined && (
        <p class="hint">What was sent is not kept: it was lost, is too old, or came before a restart.</p>
      )}
      {isOpen && request !== undefined && (
        <>
          <h3>Signature</h3>
          {verdict === undefined ? <p class="hint">Reading …</p> : <Signature verdict={verdict} webhooks={webhooks} />}
          <button type="button" onClick={() => verify(draftOf(request))}>
            Verify this delivery
          </button>
          <Message title={`Request · POST ${attempt.url}`} {...request} />
          {answer === undefined ? (
            <p class="hint">There was no answer.</p>
          ) : (
            <Message title={`Answer ${answer.status}`} {...answer} />
          )}
        </>
      )}
    </details>
  );
}

function draftOf({ headers, body, real }: NonNullable<DeliveryAttempt['request']>): Draft {
  return { body, header: headers['X-Signature'] ?? '', secret: '', real };
}
