import { Removal } from '../../../parts/actions/button.js';
import { Facts } from '../../../parts/facts.js';
import { momentOf, spanOf } from '../../../parts/values/times.js';
import { hrefOf } from '../../../wire/address.js';
import { live } from '../../../wire/live.js';
import type { JournalEntry, TimelineEntry } from '../../../wire/sandbox.js';

/** Facts of a request: its sender, its headers, and the time it took. */
export function RequestFacts({ of }: { readonly of: JournalEntry }) {
  const { status, verdict, operation, account, apiKey, nonce, key, fault, faultId, instance, ms, latency } = of;
  const before = requestBefore(live.entries.value, of);
  const facts = {
    verdict: `${status ?? 'no response'} ${verdict}`,
    operation: operation ?? 'none: the API has no such path',
    account: account !== undefined && <a href={hrefOf('resources', 'accounts', account)}>{account}</a>,
    'API key': apiKey === undefined ? 'none was sent' : <a href={hrefOf('keys', apiKey)}>{apiKey}</a>,
    nonce: nonce !== undefined && withMoment(nonce),
    'nonce before': before?.nonce !== undefined && (
      <>
        {withMoment(before.nonce)} <a href={hrefOf('requests', before.seq)}>entry {before.seq}</a>
      </>
    ),
    'idempotency key': key !== undefined && (
      <>
        {key} <Removal label="Forget" of="the idempotency key" kind="quiet" collection="idempotency" id={key} />
      </>
    ),
    fault: faultId !== undefined && (
      <>
        <a href={hrefOf('faults', faultId)}>{faultId}</a> {fault}
      </>
    ),
    instance,
    took: latency > 0 ? `${spanOf(ms)}, of which it was held back for ${spanOf(latency)}` : `${ms} ms`,
  };
  return <Facts facts={Object.entries(facts)} />;
}

/** Requests with these verdicts use up no nonce. */
const UNUSED: ReadonlySet<string> = new Set([
  ...['missing_header', 'unknown_key', 'malformed_nonce', 'bad_signature', 'nonce_not_rising', 'revoked_key'],
  ...['fault_before', 'broken_body'],
]);

/** Returns the request whose nonce was the last one of the same API key before this request. */
const requestBefore = (entries: readonly TimelineEntry[], { seq, apiKey }: JournalEntry) =>
  entries.findLast((one): one is JournalEntry => {
    if (one.seq >= seq || one.kind !== 'request' || apiKey === undefined || one.apiKey !== apiKey) return false;
    // Requests of the sandbox itself take no nonce away.
    return one.nonce !== undefined && one.isOwn !== true && !UNUSED.has(one.verdict);
  });

/** The units of a time of our days since 1970, by the digits that it has. The first 13 are ms. */
const UNITS: Readonly<Record<number, string>> = { 13: 'ms', 16: 'µs', 19: 'ns' };

/** A nonce with the moment that it seems to name. */
function withMoment(nonce: string): string {
  const unit = /^[1-9]\d+$/.test(nonce) ? UNITS[nonce.length] : undefined;
  return unit === undefined ? nonce : `${nonce} (${momentOf(Number(nonce.slice(0, 13)))}, in ${unit})`;
}
