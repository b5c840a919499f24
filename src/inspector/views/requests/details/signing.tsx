import type { ComponentChildren } from 'preact';
import { Copy } from '../../../parts/actions/copy.js';
import { Verdict } from '../../../parts/marks.js';
import type { TabProps } from './messages.js';

/** How the request was signed: a wrong signature beside the right one, with what differs marked. */
export function SigningTab({ details }: TabProps) {
  const { signing, likely, verdict, status, request } = details;
  if (signing === undefined) {
    const isSigned = request?.headers['api-sign'] !== undefined;
    return (
      <p class="hint">
        {status === 401
          ? `The signature was not looked at: ${likely ?? verdict.replaceAll('_', ' ')}.`
          : isSigned
            ? 'API-Sign is the signature of this request: path and query, and the SHA-256 of nonce and body, signed by HMAC-SHA512 with the decoded secret.'
            : 'The request has no signature.'}
      </p>
    );
  }
  const { path, nonce, bodyBytes, sha256, expected, received, probable } = signing;
  const right = `${path} ‖ ${sha256}`;
  const wrong = probable && `${probable.path} ‖ ${probable.sha256}`;
  return (
    <>
      <Verdict
        tone="warn"
        title={likely === undefined ? 'None of the usual mistakes makes this signature.' : `Probably ${likely}.`}
      >
        {likely === undefined && 'Most often the secret is that of another API key, or it has a character too many.'}
      </Verdict>
      {wrong !== undefined && (
        <>
          <Value name="probably signed" value={wrong} other={right} />
          <Value name="to be signed" value={right} other={wrong} />
        </>
      )}
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
            <Value name="string to sign" value={right} />
          </li>
          <li>
            Its HMAC-SHA512 with the decoded secret, in base64, is <code>API-Sign</code>.
            <Value name="expected" value={expected} other={received} />
            <Value name="received" value={received} other={expected} />
          </li>
        </ol>
      </section>
    </>
  );
}

interface ValueProps {
  readonly name: string;
  readonly value: string;
  /** What differs from it is marked. */
  readonly other?: string;
}

function Value({ name, value, other }: ValueProps) {
  return (
    <div class="value">
      <span class="field-name">{name}</span> <Copy label="copy" of={name} text={value} />
      <code>{other === undefined ? value : marked(value, other)}</code>
    </div>
  );
}

/** Marks what stands between the common beginning and the common end of two texts. */
function marked(text: string, other: string): ComponentChildren {
  let from = 0;
  while (from < text.length && text[from] === other[from]) from += 1;
  let end = 0;
  const most = Math.min(text.length, other.length) - from;
  while (end < most && text.at(-1 - end) === other.at(-1 - end)) end += 1;
  const last = text.length - end;
  return (
    <>
      {text.slice(0, from)}
      {from < last && <mark>{text.slice(from, last)}</mark>}
      {text.slice(last)}
    </>
  );
}
