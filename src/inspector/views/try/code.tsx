import { Copy } from '../../parts/actions/copy.js';
import { Curl } from '../../parts/actions/curl.js';
import { type Operation, readServiceApi } from '../../parts/forms/documents.js';
import { clientCallOf, typescriptCode } from '../../parts/programs/client-call.js';
import { curlCode } from '../../parts/programs/curl.js';
import { pythonCode } from '../../parts/programs/python.js';
import type { Sendable } from '../../parts/programs/sendable.js';
import { curlOf } from '../../wire/api.js';
import { type Draft, optionsOf } from './draft.js';

/** The request of a form as programs that sign it themselves. Secrets are not in them. */
export function Code({ operation, draft }: { readonly operation: Operation; readonly draft: Draft }) {
  const { name } = operation;
  const { origin } = location;
  return (
    <>
      <span class="soft">Copy as</span>
      <Copy label="curl" of={name} text={() => curlCode(sendableOf(operation, draft), origin)} />
      <Copy label="TypeScript" of={name} text={() => typescriptOf(operation, draft)} />
      <Copy label="Python" of={name} text={() => pythonCode(sendableOf(operation, draft), origin)} />
      <Curl of="Send" text={() => curlOf('requests/send', optionsOf(operation, draft))} />
    </>
  );
}

async function typescriptOf(operation: Operation, draft: Draft): Promise<string> {
  const call = clientCallOf(await readServiceApi(), operation.name, sendableOf(operation, draft));
  return typeof call === 'string' ? `// ${call}\n` : typescriptCode(call, location.origin);
}

function sendableOf(operation: Operation, draft: Draft): Sendable {
  const { method, path, body, key } = optionsOf(operation, draft);
  return {
    method,
    path,
    body: body as string | undefined,
    contentType: body === undefined ? undefined : 'application/json',
    key: key ?? (operation['x-idempotency'] === 'keyed' ? newKey() : undefined),
    hasOtp: operation.parameters.some(({ name }) => name === 'API-Otp'),
  };
}

/** A UUIDv4. `crypto.randomUUID` is not there at an address that is not secure. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
