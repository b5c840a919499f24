import { type Choice, Tabs } from '../../parts/choices.js';
import { Code } from '../../parts/code.js';
import { Facts } from '../../parts/facts.js';
import { Verdict } from '../../parts/marks.js';
import { momentOf } from '../../parts/values/times.js';
import { capitalised } from '../../parts/values/words.js';
import { addressed } from '../../wire/address.js';
import type { DeliveryExchange, VerifiedSignature, WebhookVerdict } from '../../wire/sandbox.js';
import { useEndpoints } from './shown.js';

const tab = addressed('tab', 'payload');

interface ExchangeProps {
  /** What was sent. Undefined: the sandbox does not have it. */
  readonly sent: DeliveryExchange['request'] | undefined;
  readonly body: string;
  /** Undefined: it is not known yet. */
  readonly verdict: WebhookVerdict | undefined;
  /** Undefined: it has no tab. */
  readonly response?: string;
}

/** A delivery as it went over the wire: its payload, headers and signature, and the response. */
export function Exchange({ sent, body, verdict, response }: ExchangeProps) {
  const names = ['payload', 'headers', 'signature', ...(response === undefined ? [] : ['response'])];
  const chosen = names.includes(tab.value) ? tab.value : 'payload';
  const text = { payload: body, headers: sent && linesOf(sent.headers), response }[chosen];
  const choices = names.map((name): Choice => [name, capitalised(name)]);
  return (
    <Tabs label="What was sent" of={choices} value={chosen} onChange={tab.set}>
      {sent === undefined && chosen !== 'payload' && (
        <p class="hint">The sandbox does not have it: it was lost, dropped as too old, or sent before a restart.</p>
      )}
      {text !== undefined && <Code label={capitalised(chosen)} text={text} />}
      {chosen === 'signature' && verdict !== undefined && <Signature verdict={verdict} />}
    </Tabs>
  );
}

export const linesOf = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/**
 * A signature taken apart: the verdict, its time, and each of its parts with the secret that made
 * it.
 */
function Signature({ verdict }: { readonly verdict: WebhookVerdict }) {
  const { valid, scheme, timestamp, ageSeconds = 0, signatures, problem } = verdict;
  const age = ageSeconds < 0 ? `${-ageSeconds} s in the future` : `${ageSeconds} s old when it arrived`;
  const signerOf = useSigners();
  return (
    <>
      <Verdict tone={valid ? 'good' : 'bad'} title={valid ? 'The signature is valid.' : 'Not valid.'}>
        {problem}
      </Verdict>
      <Facts
        facts={[
          ['t', timestamp !== undefined && `${timestamp} = ${momentOf(timestamp * 1000)}, ${age}`],
          ...signatures.map((one) => [scheme === 'body' ? 'hex' : 'v1', `${one.v1}\n${signerOf(one)}`] as const),
        ]}
      />
    </>
  );
}

/** Returns what says which secret has made a part of a signature. */
function useSigners(): (one: VerifiedSignature) => string {
  const { all, nameOf } = useEndpoints();
  return ({ matchesSecret, masked, webhookId }) => {
    if (!matchesSecret) return '✕ no valid secret makes this from the body';
    if (webhookId === undefined) return `✓ made by the secret that you gave, ${masked}`;
    const known = all.find(({ id }) => id === webhookId)?.secrets.find((one) => one.masked === masked);
    const which = known === undefined ? 'former' : known.until === undefined ? 'newest' : 'replaced';
    const end = known?.until === undefined ? '' : `, valid until ${momentOf(known.until)}`;
    return `✓ made by the ${which} secret ${masked} of ${nameOf(webhookId)}${end}`;
  };
}
