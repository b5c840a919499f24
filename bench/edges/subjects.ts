import type { ClientOptions, ClientStats } from 'partner-sdk';
import type { Address } from './backend.js';
import { API_SECRET, loadSdk } from './sdk.js';
import { UncheckedPool } from './unchecked-pool.js';

const ACCOUNT = 'ACCOUNT-0000-0001';
const SAVE_PATH = `/v1/accounts/${ACCOUNT}/funds/withdrawals/addresses`;
/** What the writes send. */
const ADDRESS = {
  asset_symbol: 'BTC',
  method_id: '5f3ad6a2-0d0c-4c55-9c8e-0b8a3f6a7c11',
  key: 'cold',
  address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
};
/** Time in ms that a call may take: one that waits longer has failed. */
const TIMEOUT_MS = 10_000;

/** What a call does: a read, a write with an idempotency key, or one without, which must not be repeated. */
export type Kind = 'read' | 'keyed write' | 'unkeyed write';

/** Something that makes calls with one API key. */
export interface Subject {
  /** Says whether the answer was the one to this call; rejects when the call failed. */
  call(kind: Kind, index: number): Promise<boolean>;
  stats(): ClientStats | undefined;
  close(): Promise<unknown>;
}

export type SubjectName = 'default' | 'strict' | 'fetch' | 'pool';

export async function createSubject(name: SubjectName, address: Address, apiKey: string): Promise<Subject> {
  if (name === 'pool') return uncheckedPool(address, apiKey);
  const { PartnerClient, fetchTransport, undiciTransport } = await loadSdk();
  const transport =
    name === 'fetch' ? fetchTransport() : undiciTransport(address.ca === undefined ? {} : { tls: { ca: address.ca } });
  const order: ClientOptions = name === 'strict' ? { nonceOrder: 'strict' } : {};
  const credentials = { baseUrl: address.url, apiKey, apiSecret: API_SECRET };
  const client = new PartnerClient({ ...credentials, ...order, transport, timeout: TIMEOUT_MS });
  return {
    async call(kind, index) {
      const id = idOf(index);
      if (kind === 'read') return (await client.users.get(id)).id === id;
      const body = { ...ADDRESS, key: id };
      if (kind === 'keyed write') return (await client.funds.withdrawalAddresses.save(ACCOUNT, body)).key === id;
      return idIn(await client.request({ method: 'POST', path: SAVE_PATH, body })) === id;
    },
    stats: () => client.stats(),
    close: () => client.close(),
  };
}

function uncheckedPool(address: Address, apiKey: string): Subject {
  const pool = new UncheckedPool(address, apiKey);
  return {
    async call(kind, index) {
      const id = idOf(index);
      if (kind === 'read') return idIn(await pool.request('GET', `/v1/users/${id}`)) === id;
      return idIn(await pool.request('POST', SAVE_PATH, { ...ADDRESS, key: id })) === id;
    },
    stats: () => undefined,
    close: () => pool.close(),
  };
}

/** What an answer repeats. */
function idIn(data: unknown): string | undefined {
  const { id, key } = data as { readonly id?: string; readonly key?: string };
  return id ?? key;
}

const idOf = (index: number): string => `USER-${String(index).padStart(12, '0')}`;
