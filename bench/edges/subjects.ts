import type { ClientOptions, ClientStats } from 'partner-sdk';
import { Pool } from 'undici';
import { signature } from '../../test/support/service.js';
import type { Address } from '../lanes/backend.js';
import { ADDRESS, API_SECRET, freshClient, loadSdk } from '../lanes/sdk.js';

const ACCOUNT = 'ACCOUNT-0000-0001';
const SAVE_PATH = `/v1/accounts/${ACCOUNT}/funds/withdrawals/addresses`;
/** Connections of the pool that nobody checks: one for each caller. */
const POOL_CONNECTIONS = 64;
/** Time in ms that a call may take: one that waits longer has failed. */
const TIMEOUT_MS = 5_000;

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
  if (name === 'pool') return pool(address, apiKey);
  const { fetchTransport, undiciTransport } = await loadSdk();
  const transport =
    name === 'fetch' ? fetchTransport() : undiciTransport(address.ca === undefined ? {} : { tls: { ca: address.ca } });
  const order: ClientOptions = name === 'strict' ? { nonceOrder: 'strict' } : {};
  return sdk(address, apiKey, { ...order, transport, timeout: TIMEOUT_MS });
}

async function sdk({ url }: Address, apiKey: string, options: ClientOptions): Promise<Subject> {
  const client = await freshClient(url, apiKey, options);
  return {
    async call(kind, index) {
      const id = idOf(index);
      if (kind === 'read') return (await client.users.get(id)).id === id;
      const body = { ...ADDRESS, key: id };
      if (kind === 'keyed write') return (await client.funds.withdrawalAddresses.save(ACCOUNT, body)).key === id;
      const answer = await client.request({ method: 'POST', path: SAVE_PATH, body });
      return (answer as { readonly key?: string }).key === id;
    },
    stats: () => client.stats(),
    close: () => client.close(),
  };
}

/** What a pool would carry if nobody looked at the nonces: it signs, and neither orders nor repeats. */
function pool({ url, ca }: Address, apiKey: string): Subject {
  const tls = ca === undefined ? {} : { connect: { ca } };
  const dispatcher = new Pool(url, { connections: POOL_CONNECTIONS, ...tls });
  let nonce = BigInt(Date.now()) * 1_000_000n;
  return {
    async call(kind, index) {
      const id = idOf(index);
      const method = kind === 'read' ? 'GET' : 'POST';
      const path = kind === 'read' ? `/v1/users/${id}` : SAVE_PATH;
      const body = kind === 'read' ? '' : JSON.stringify({ ...ADDRESS, key: id });
      const sent = String(++nonce);
      const sign = signature(API_SECRET, path, sent, Buffer.from(body));
      const headers = { 'api-key': apiKey, 'api-nonce': sent, 'api-sign': sign, 'content-type': 'application/json' };
      const answer = await dispatcher.request({ method, path, headers, body: body === '' ? null : body });
      const { data } = (await answer.body.json()) as { readonly data: { readonly id?: string; readonly key?: string } };
      if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`);
      return (data.id ?? data.key) === id;
    },
    stats: () => undefined,
    close: () => dispatcher.close(),
  };
}

const idOf = (index: number): string => `USER-${String(index).padStart(12, '0')}`;
