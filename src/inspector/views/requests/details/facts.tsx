import type { ComponentChildren } from 'preact';
import { Removal } from '../../../parts/actions/button.js';
import { Facts } from '../../../parts/facts.js';
import { useReading } from '../../../parts/hooks.js';
import { spanOf } from '../../../parts/values/times.js';
import { hrefOf } from '../../../wire/address.js';
import { live } from '../../../wire/live.js';
import type { JournalEntry, SandboxKey, TimelineEntry } from '../../../wire/sandbox.js';

/** Facts of a request: its sender, its headers, and the time it took. */
export function RequestFacts({ entry }: { readonly entry: JournalEntry }) {
  const { status, verdict, operation, account, apiKey, nonce, key, fault, faultId, instance, ms, latency } = entry;
  const { data: keys } = useReading<SandboxKey[]>('keys');
  const before = requestBefore(live.entries.value, entry);
  const facts: Readonly<Record<string, ComponentChildren>> = {
    verdict: `${status ?? 'no response'} ${verdict}`,
    operation: operation ?? 'none: the API has no such path',
    account: account !== undefined && <a href={hrefOf('resources', 'accounts', account)}>{account}</a>,
    'API key': apiKey === undefined ? 'none was sent' : <ApiKey apiKey={apiKey} keys={keys} />,
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

function withMoment(nonce: string): string {
  const moment = nonceMoment(nonce);
  return moment === undefined ? nonce : `${nonce} (${moment})`;
}

/** API keys have no names: it is told which one it is, in the order in which they were issued. */
function ApiKey({ apiKey, keys }: { readonly apiKey: string; readonly keys: readonly SandboxKey[] | undefined }) {
  const index = keys?.findIndex((key) => key.apiKey === apiKey) ?? -1;
  const known = keys?.[index];
  if (keys === undefined) return <>{apiKey}</>;
  if (known === undefined) return <>{apiKey} (not a key of this sandbox)</>;
  const { scopes, revoked } = known;
  const told = [
    `key ${index + 1} of ${keys.length}`,
    scopes === undefined ? 'all scopes' : `scopes ${scopes.join(', ')}`,
    ...(revoked ? ['revoked'] : []),
  ];
  return (
    <>
      <a href={hrefOf('keys', apiKey)}>{apiKey}</a> ({told.join('; ')})
    </>
  );
}

/** Requests with these verdicts use up no nonce. */
const UNUSED: ReadonlySet<string> = new Set([
  ...['missing_header', 'unknown_key', 'malformed_nonce', 'bad_signature', 'nonce_not_rising', 'revoked_key'],
  ...['fault_before', 'broken_body'],
]);

/** Returns the request whose nonce was the last one of the same API key before this request. */
function requestBefore(entries: readonly TimelineEntry[], { seq, apiKey }: JournalEntry): JournalEntry | undefined {
  if (apiKey === undefined) return undefined;
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry === undefined || entry.seq >= seq || entry.kind !== 'request' || entry.apiKey !== apiKey) continue;
    // Requests of the sandbox itself take no nonce away.
    if (entry.nonce !== undefined && entry.isOwn !== true && !UNUSED.has(entry.verdict)) return entry;
  }
  return undefined;
}

/** Digits of a time of our days since 1970, by unit. */
const UNITS: Readonly<Record<number, readonly [unit: string, perMs: bigint]>> = {
  13: ['ms', 1n],
  16: ['µs', 1_000n],
  19: ['ns', 1_000_000n],
};

/** The moment that a nonce seems to name: `2026-01-15 12:00:00.000 UTC, in ns`. */
function nonceMoment(nonce: string): string | undefined {
  const [unit, perMs] = (/^[1-9]\d+$/.test(nonce) ? UNITS[nonce.length] : undefined) ?? [];
  if (unit === undefined || perMs === undefined) return undefined;
  const moment = new Date(Number(BigInt(nonce) / perMs)).toISOString().replace('T', ' ').replace('Z', ' UTC');
  return `${moment}, in ${unit}`;
}
