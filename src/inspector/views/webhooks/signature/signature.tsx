import type { WebhookOverview } from '../../../../sandbox/webhooks/controls/reports.js';
import type { VerifiedSignature, WebhookVerdict } from '../../../../sandbox/webhooks/verify/verify.js';
import { momentOf, spanOf } from '../../../parts/values/format.js';

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
        <dl class="facts">
          {timestamp !== undefined && [
            <dt key="t">t</dt>,
            <dd key="time">
              {timestamp} = {momentOf(timestamp * 1000)}, {agedWords(ageSeconds)}
            </dd>,
          ]}
          {signatures.map((one, place) => [
            <dt key={`${place} name`}>{scheme === 'body' ? 'hex' : 'v1'}</dt>,
            <dd key={place}>
              {one.v1}
              {'\n'}
              <span class={one.matchesSecret ? 'tone-good' : 'tone-bad'}>{signerWords(one, webhooks)}</span>
            </dd>,
          ])}
        </dl>
      )}
    </div>
  );
}

function agedWords(seconds: number): string {
  if (seconds === 0) return 'fresh when it arrived';
  return seconds > 0 ? `${spanOf(seconds * 1000)} old when judged` : `${spanOf(-seconds * 1000)} in the future`;
}

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
