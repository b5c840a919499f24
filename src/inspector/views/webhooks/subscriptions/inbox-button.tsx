import { useState } from 'preact/hooks';
import type { RegisteredWebhook } from '../../../../sandbox/webhooks/delivery/subscriptions.js';
import { Curl } from '../../../parts/actions/curl.js';
import { Field } from '../../../parts/forms/field.js';
import { useAction } from '../../../parts/hooks.js';
import { call, curlOf } from '../../../wire/api.js';
import { inboxUrl } from '../inbox/inbox-names.js';

/** Registers a webhook that leads to an inbox, in one click. */
export function InboxButton({ onDone }: { readonly onDone: () => void }) {
  const [name, setName] = useState('first-try');
  const { said, run } = useAction();
  const register = async (): Promise<void> => {
    // The address as the sandbox reaches itself, which may not be that of the browser.
    const url = await call<string>('inbox/url', name.trim());
    await call<RegisteredWebhook>('webhooks/register', { url });
    onDone();
  };
  return (
    <div class="fields">
      <Field label="Name of the inbox">
        <input spellcheck={false} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </Field>
      <span class="action">
        <button type="button" onClick={() => run(register, 'registered: now send an event')}>
          Register an inbox
        </button>
        <Curl of="Register an inbox" text={() => curlOf('webhooks/register', { url: inboxUrl(name.trim()) })} />
        <span role="status">{said}</span>
      </span>
    </div>
  );
}
