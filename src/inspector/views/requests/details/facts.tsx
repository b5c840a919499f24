import { Removal } from '../../../parts/actions/button.js';
import { Facts } from '../../../parts/facts.js';
import { spanOf } from '../../../parts/values/times.js';
import { hrefOf } from '../../../wire/address.js';
import { live } from '../../../wire/live.js';
import type { JournalEntry } from '../../../wire/sandbox.js';

/** Facts of a request: its sender, its headers, and the time it took. */
export function RequestFacts({ of }: { readonly of: JournalEntry }) {
  const { status, verdict, operation, account, apiKey, nonce, key, fault, faultId, instance, ms, latency } = of;
  const before = verdict === 'nonce_not_rising' ? requestBefore(of) : undefined;
  const facts = {
    verdict: `${status ?? 'no response'} ${verdict}`,
    operation: operation ?? 'none: the API has no such path',
    account: account !== undefined && <a href={hrefOf('resources', 'accounts', account)}>{account}</a>,
    'API key': apiKey === undefined ? 'none was sent' : <a href={hrefOf('keys', apiKey)}>{apiKey}</a>,
    nonce,
    'nonce before': before !== undefined && (
      <>
        {before.nonce} <a href={hrefOf('requests', before.seq)}>entry {before.seq}</a>
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

/**
 * Returns the last request before this one that has used a nonce of its API key. The sandbox's own
 * use none.
 */
const requestBefore = ({ seq, apiKey }: JournalEntry): JournalEntry | undefined =>
  live.entries.value.findLast((one): one is JournalEntry => {
    if (one.kind !== 'request' || one.seq >= seq) return false;
    return one.apiKey === apiKey && one.status !== 401 && one.isOwn !== true;
  });
