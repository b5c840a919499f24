import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { WebhookOverview } from '../../../../sandbox/webhooks/controls/reports.js';
import type { WebhookVerdict } from '../../../../sandbox/webhooks/verify/verify.js';
import { Action } from '../../../parts/actions/action.js';
import { Field } from '../../../parts/forms/field.js';
import { Panel } from '../../../parts/panel.js';
import { Signature } from './signature.js';

/** A delivery to verify, as it stands in the form. */
export interface Draft {
  readonly body: string;
  readonly header: string;
  readonly secret: string;
  /** When it arrived by the machine's clock, if that is known. */
  readonly real?: number | undefined;
}

interface VerifyProps {
  /** A delivery that another part of the page wants to be verified. */
  readonly given: Draft | undefined;
  readonly webhooks: readonly WebhookOverview[];
}

/** Takes what is pasted apart, and tells why a receiver refuses it. */
export function Verify({ given, webhooks }: VerifyProps) {
  const [draft, setDraft] = useState<Draft>({ body: '', header: '', secret: '' });
  const [verdict, setVerdict] = useState<WebhookVerdict>();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const change = (next: Partial<Draft>): void => {
    setDraft({ ...draft, ...next });
    setVerdict(undefined);
  };
  // At once: a later effect would undo what the reader has typed, and Verify would judge an empty
  // form.
  useLayoutEffect(() => {
    if (given === undefined) return;
    setDraft(given);
    setVerdict(undefined);
    box.current?.scrollIntoView();
    input.current?.focus({ preventScroll: true });
  }, [given]);
  return (
    <div ref={box}>
      <Panel
        title="Verify a signature"
        hint="Paste what your receiver got. The page says if it is valid, and if not, what was probably done wrong."
      >
        <div role="status">{verdict !== undefined && <Signature verdict={verdict} webhooks={webhooks} />}</div>
        <Field label="Body, exactly as it arrived">
          <textarea
            ref={input}
            spellcheck={false}
            value={draft.body}
            onInput={(event) => change({ body: event.currentTarget.value })}
          />
        </Field>
        <Field label="Header X-Signature">
          <input
            spellcheck={false}
            placeholder="t=…,v1=…"
            value={draft.header}
            onInput={(event) => change({ header: event.currentTarget.value })}
          />
        </Field>
        <Field label="Signing secret" hint="Empty: the secrets of all webhooks of this sandbox.">
          <input
            spellcheck={false}
            autocomplete="off"
            value={draft.secret}
            onInput={(event) => change({ secret: event.currentTarget.value })}
          />
        </Field>
        {draft.real !== undefined && (
          <label>
            <input type="checkbox" checked onChange={() => change({ real: undefined })} /> Judge its age as of when it
            was sent, not as of now
          </label>
        )}
        <p>
          <Action
            label="Verify"
            method="webhooks/verify"
            args={[inputOf(draft)]}
            done=""
            onDone={(answer) => setVerdict(answer as WebhookVerdict)}
          />
        </p>
      </Panel>
    </div>
  );
}

/** A header may be pasted with its name. */
function inputOf({ body, header, secret, real }: Draft): object {
  const signature = header.trim().replace(/^x-signature\s*:\s*/i, '');
  return {
    body,
    ...(signature === '' ? {} : { signature }),
    ...(secret.trim() === '' ? {} : { secret: secret.trim() }),
    ...(real === undefined ? {} : { real }),
  };
}
