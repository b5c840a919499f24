import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { WebhookOverview } from '../../../sandbox/webhooks/controls/reports.js';
import type { VerifiedSignature, WebhookVerdict } from '../../../sandbox/webhooks/verify/verify.js';
import type { WebhookVerifyInput } from '../../../sandbox/webhooks/verify/verify-input.js';
import { FactList } from '../../parts/fact-list.js';
import { MethodForm } from '../../parts/forms/method-form.js';
import { Panel } from '../../parts/panel.js';
import { momentOf, pretty, spanOf } from '../../parts/values/format.js';

/** A delivery to verify, as the form begins with it. */
export type Draft = Pick<WebhookVerifyInput, 'body' | 'signature' | 'real'>;

interface VerifyProps {
  /** A delivery that another part of the page wants to be verified. */
  readonly given: Draft | undefined;
  readonly webhooks: readonly WebhookOverview[];
}

/** Parses a pasted delivery, and explains why a receiver would reject it. */
export function Verify({ given, webhooks }: VerifyProps) {
  const [verdict, setVerdict] = useState<WebhookVerdict>();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (given === undefined) return;
    box.current?.scrollIntoView();
    box.current?.querySelector('textarea')?.focus({ preventScroll: true });
  }, [given]);
  return (
    <div ref={box} onInput={() => setVerdict(undefined)}>
      <Panel
        title="Verify a signature"
        hint="Paste what your receiver got. The page says if it is valid, and if not, the likely mistake."
      >
        <div role="status">{verdict !== undefined && <Signature verdict={verdict} webhooks={webhooks} />}</div>
        <MethodForm
          label="Verify"
          method="webhooks/verify"
          begin={Object.fromEntries(Object.entries(given ?? {}).map(([name, value]) => [`input.${name}`, value]))}
          only={['input.body', 'input.signature', 'input.secret', 'input.real']}
          done=""
          onDone={(answer) => setVerdict(answer as WebhookVerdict)}
        />
      </Panel>
    </div>
  );
}

interface SignatureProps {
  readonly verdict: WebhookVerdict;
  /** To tell the newest secret from those that were replaced. */
  readonly webhooks: readonly WebhookOverview[];
}

/**
 * A signature taken apart: its time, each of its parts with the secret that made it, and the
 * verdict.
 */
export function Signature({ verdict, webhooks }: SignatureProps) {
  const { valid, scheme, timestamp, ageSeconds = 0, signatures, problem } = verdict;
  return (
    <div class="signed">
      <p>
        <strong class={valid ? 'tone-good' : 'tone-bad'}>{valid ? '✓ valid' : '✗ not valid'}</strong> {problem}
      </p>
      {(timestamp !== undefined || signatures.length > 0) && (
        <FactList
          facts={[
            ['t', timestamp !== undefined && `${timestamp} = ${momentOf(timestamp * 1000)}, ${agedWords(ageSeconds)}`],
            ...signatures.map(
              (one) => [scheme === 'body' ? 'hex' : 'v1', <Signer one={one} webhooks={webhooks} />] as const,
            ),
          ]}
        />
      )}
    </div>
  );
}

function agedWords(seconds: number): string {
  if (seconds === 0) return 'fresh when it arrived';
  return seconds > 0 ? `${spanOf(seconds * 1000)} old when judged` : `${spanOf(-seconds * 1000)} in the future`;
}

interface SignerProps {
  readonly one: VerifiedSignature;
  readonly webhooks: readonly WebhookOverview[];
}

const Signer = ({ one, webhooks }: SignerProps) => (
  <>
    {one.v1}
    {'\n'}
    <span class={one.matchesSecret ? 'tone-good' : 'tone-bad'}>{signerWords(one, webhooks)}</span>
  </>
);

function signerWords({ matchesSecret, masked, webhookId }: VerifiedSignature, webhooks: readonly WebhookOverview[]) {
  if (!matchesSecret) return '✗ no valid secret makes this from the body';
  if (webhookId === undefined) return `✓ made by the secret that you gave, ${masked}`;
  const secrets = webhooks.find(({ id }) => id === webhookId)?.secrets ?? [];
  const place = secrets.findIndex((one) => one.masked === masked);
  const until = secrets[place]?.until;
  const which = until === undefined ? 'newest' : 'replaced';
  const end = until === undefined ? '' : `, valid until ${momentOf(until)}`;
  return `✓ made by the ${place < 0 ? 'former' : which} secret ${masked} of ${webhookId}${end}`;
}

const STANDARD = /^(webhook|svix)-(id|timestamp|signature)$/;

/** Returns `X-Signature`, or the headers of the scheme `standard` as lines. */
export function signatureIn(headers: Readonly<Record<string, string>>): string | undefined {
  const lines = Object.entries(headers).filter(([name]) => STANDARD.test(name));
  const own = headers['X-Signature'] ?? headers['x-signature'];
  return own ?? (lines.length === 0 ? undefined : lines.map((line) => line.join(': ')).join('\n'));
}

interface MessageProps {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Head and body of a message. */
export function Message({ title, headers, body }: MessageProps) {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <section>
      <h3>{title}</h3>
      <pre>{head.length === 0 ? '(no headers)' : head.join('\n')}</pre>
      <pre>{body === '' ? '(no body)' : pretty(body)}</pre>
    </section>
  );
}
