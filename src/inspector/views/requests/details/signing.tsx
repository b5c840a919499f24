import type { SigningCheck } from '../../../../sandbox/core/request/refusal-details.js';
import { Copy } from '../../../parts/actions/copy.js';

/** The signature of the sandbox, beside the one that it received. */
export function Signing({ path, nonce, bodyBytes, sha256, expected, received }: SigningCheck) {
  return (
    <section class="signing" aria-label="The signature taken apart">
      <h3>The signature taken apart</h3>
      <ol>
        <li>
          SHA-256 of the nonce and the body: <code>{nonce}</code> and{' '}
          {bodyBytes === 0 ? 'no body' : `${bodyBytes} bytes`}, as they were received.
          <Value name="SHA-256, in hex" value={sha256} />
        </li>
        <li>
          String to sign: path and query, then these 32 bytes.
          <Value name="string to sign" value={`${path} ‖ ${sha256}`} />
        </li>
        <li>
          Its HMAC-SHA512 with the decoded secret, in base64, is <code>API-Sign</code>.
          <Value name="expected" value={expected} />
          <Value name="received" value={received} />
        </li>
      </ol>
    </section>
  );
}

function Value({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div class="value">
      <span class="field-name">{name}</span> <Copy label="copy" of={name} text={value} />
      <code>{value}</code>
    </div>
  );
}
