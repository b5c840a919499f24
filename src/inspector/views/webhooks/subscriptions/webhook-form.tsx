import { useState } from 'preact/hooks';
import type { WebhookOverview } from '../../../../sandbox/webhooks/controls/reports.js';
import { Action } from '../../../parts/actions/action.js';
import { Field } from '../../../parts/forms/field.js';
import { Select } from '../select.js';
import { KindsField } from './kinds-field.js';

interface WebhookFormProps {
  readonly kinds: readonly string[];
  /** The one to change. Undefined: a new one. */
  readonly webhook?: WebhookOverview;
  readonly onDone: () => void;
}

/** Registers a webhook that leads anywhere, or changes one. */
export function WebhookForm({ kinds, webhook, onDone }: WebhookFormProps) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [chosen, setChosen] = useState<readonly string[] | undefined>(webhook?.events);
  const [scheme, setScheme] = useState('timestamped');
  const known = [...new Set([...kinds, ...(webhook?.events ?? [])])];
  const common = { url: url.trim(), events: chosen ?? known };
  return (
    <details class="more-of">
      <summary>{webhook === undefined ? 'Register a webhook of your own' : 'Change its URL or kinds'}</summary>
      <Field label="URL" hint="Where your receiver listens, as the sandbox reaches it.">
        <input
          type="url"
          spellcheck={false}
          placeholder="http://127.0.0.1:3000/webhooks"
          value={url}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
      </Field>
      <KindsField kinds={known} chosen={chosen?.length === known.length ? undefined : chosen} setChosen={setChosen} />
      {webhook === undefined ? (
        <>
          <Field label="Signature">
            <Select
              value={scheme}
              choices={[
                ['timestamped', 't=…,v1=… with a time'],
                ['body', 'hex over the body, as callbacks of the ramp'],
              ]}
              choose={setScheme}
            />
          </Field>
          <Action
            label="Register"
            method="webhooks/register"
            args={[{ ...common, scheme }]}
            done="registered: its secret is below"
            onDone={onDone}
          />
        </>
      ) : (
        <Action label="Change" method="webhooks/update" args={[webhook.id, common]} done="changed" onDone={onDone} />
      )}
    </details>
  );
}
