import { useState } from 'preact/hooks';
import type { RegisteredWebhook } from '../../../../sandbox/webhooks/subscriptions.js';
import { Action } from '../../../parts/action.js';
import { Field } from '../../../parts/field.js';
import { Masked } from '../../../parts/masked.js';
import { KindsField } from './kinds-field.js';

interface RegisterProps {
  readonly kinds: readonly string[];
  readonly onDone: () => void;
}

/** Registers a webhook that leads anywhere. */
export function Register({ kinds, onDone }: RegisterProps) {
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>();
  const [scheme, setScheme] = useState('timestamped');
  const [made, setMade] = useState<RegisteredWebhook>();
  const input = { url: url.trim(), ...(chosen === undefined ? {} : { events: chosen }), scheme };
  return (
    <details class="more-of">
      <summary>Register a webhook of your own</summary>
      <Field label="URL" hint="Where your receiver listens, as the sandbox reaches it.">
        <input
          type="url"
          spellcheck={false}
          placeholder="http://127.0.0.1:3000/webhooks"
          value={url}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
      </Field>
      <KindsField kinds={kinds} chosen={chosen} setChosen={setChosen} />
      <Field label="Signature">
        <select value={scheme} onChange={(event) => setScheme(event.currentTarget.value)}>
          <option value="timestamped">t=…,v1=… with a time</option>
          <option value="body">hex over the body, as callbacks of the ramp</option>
        </select>
      </Field>
      <Action
        label="Register"
        method="webhooks/register"
        args={[input]}
        done="registered"
        onDone={(answer) => {
          setMade(answer as RegisteredWebhook);
          onDone();
        }}
      />
      {made !== undefined && (
        <p>
          Give this secret to your receiver: <Masked label="the signing secret" secret={made.signing_secret} />
        </p>
      )}
    </details>
  );
}
