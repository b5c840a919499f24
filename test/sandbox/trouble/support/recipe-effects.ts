import { expect } from 'vitest';
import { API_KEY, type Recipe, type RecipeCall, USER_ID } from '../../../../src/inspector/views/faults/recipes.js';
import type { SandboxOptions } from '../../../../src/sandbox/index.js';
import { askControl, bodies, openSandbox, PATIENCE, Partner } from '../../support/partner.js';

/** What a recipe changes for a partner, who looks at it by calls of the API. */
interface Effect {
  readonly options?: SandboxOptions;
  /** Begins what the recipe finds under way, before each look. */
  prepare?(partner: Partner): Promise<void>;
  look(partner: Partner): Promise<unknown>;
  readonly usual: unknown;
  readonly inTrouble: unknown;
}

async function control(partner: Partner, method: string, ...args: readonly unknown[]) {
  const { status, data, error } = await askControl(partner, `POST ${method.replaceAll('.', '/')}`, args);
  expect(status, error?.message).toBe(200);
  return data;
}

async function created(partner: Partner, path: string, body?: unknown) {
  const answer = await partner.post(path, body);
  expect(answer.status).toBe(200);
  return answer.body.data;
}

const list = '/v1/webhooks?page_size=1';

async function statusAndWait(partner: Partner): Promise<[status: number, retryAfter: string | null]> {
  const { status, headers } = await partner.get(list);
  return [status, headers.get('retry-after')];
}

const statusOf = async (partner: Partner, path: string) => (await partner.get(path)).body.data.status;

/** The status of the newest entry of the ledger. */
const newest = async (partner: Partner, type: string) =>
  (await partner.get(`/v1/funds/transactions?type=${type}`)).body.data[0].status;

async function executing(partner: Partner): Promise<string> {
  const { id } = await created(partner, `${partner.account}/quotes`, bodies.quote);
  await created(partner, `${partner.account}/quotes/${id}/execute`);
  return id;
}

/** The ends of many requests at once. Those that are never answered are given up when all others have ended. */
async function endsOfMany({ sandbox, url }: Partner, count: number): Promise<object> {
  const before = sandbox.journal.length;
  const many = new Partner(sandbox, url, sandbox.keys.issue({ nonceWindow: count }));
  const enough = new AbortController();
  let ended = 0;
  const ending = async (): Promise<number | string> => {
    const response = await many.send({ method: 'GET', path: list }, enough.signal).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    ended += 1;
    if (response === undefined) return enough.signal.aborted ? 'no answer' : 'reset';
    return text === undefined ? 'half an answer' : response.status;
  };
  const sent = Array.from({ length: count }, ending);
  const struck = () => sandbox.journal.slice(before).map(({ verdict, fault }) => `${verdict} ${fault ?? ''}`.trim());
  await expect.poll(() => struck().length, PATIENCE).toBe(count);
  await expect.poll(() => ended, PATIENCE).toBe(struck().filter((one) => !one.endsWith(' timeout')).length);
  enough.abort();
  return { ends: distinct(await Promise.all(sent)), struck: distinct(struck()) };
}

const distinct = (values: readonly unknown[]): unknown[] => [...new Set(values)].sort();

/** What was begun before the nightly settlement, and goes on during it. */
let underWay: { readonly quote: string; readonly conversion: string; readonly transfer: string };

/** By the name of the recipe. */
export const EFFECTS: Readonly<Record<string, Effect>> = {
  outage: { look: statusAndWait, usual: [200, null], inTrouble: [503, null] },
  maintenance: { look: statusAndWait, usual: [200, null], inTrouble: [503, '600'] },
  'rate limited': {
    async look(partner) {
      const seen: unknown[] = [];
      for (let turn = 0; turn < 6; turn += 1) seen.push(await statusAndWait(partner));
      return seen.slice(-2);
    },
    usual: [
      [200, null],
      [200, null],
    ],
    inTrouble: [
      [200, null],
      [429, '10'],
    ],
  },
  'flaky network': {
    look: (partner) => endsOfMany(partner, 200),
    usual: { ends: [200], struck: ['accepted'] },
    inTrouble: {
      ends: [200, 'half an answer', 'no answer', 'reset'],
      struck: [
        ...['accepted', 'fault_after reset', 'fault_after truncate'],
        ...['fault_before reset', 'fault_before timeout'],
      ],
    },
  },
  'slow execution': {
    async look(partner) {
      const { account } = partner;
      const quote = await executing(partner);
      const onchain = await created(partner, `${account}/onchain-quotes`, bodies.onchainQuote);
      await control(partner, 'onchainQuotes.submit', onchain.id);
      const conversion = await created(partner, `${account}/conversions`, bodies.conversion);
      const transfer = await created(partner, `${account}/transfers`, bodies.transfer);
      const key = partner.sandbox.fixtures.withdrawalAddressKey;
      await created(partner, `${account}/funds/withdrawals`, { asset_symbol: 'BTC', key, amount: '0.01' });
      await control(partner, 'clock.advance', 299_999);
      return Promise.all([
        statusOf(partner, `${account}/quotes/${quote}`),
        statusOf(partner, `${account}/onchain-quotes/${onchain.id}`),
        statusOf(partner, `/v1/conversions/${conversion.id}`),
        statusOf(partner, `/v1/transfers/${transfer.id}`),
        newest(partner, 'withdrawal'),
      ]);
    },
    usual: ['executed', 'executed', 'completed', 'completed', 'success'],
    inTrouble: ['executing', 'executing', 'converting', 'pending', 'pending'],
  },
  'nightly settlement': {
    async prepare(partner) {
      const [quote, conversion, transfer] = [
        await created(partner, `${partner.account}/quotes`, bodies.quote),
        await created(partner, `${partner.account}/conversions`, bodies.conversion),
        await created(partner, `${partner.account}/transfers`, bodies.transfer),
      ];
      underWay = { quote: quote.id, conversion: conversion.id, transfer: transfer.id };
    },
    async look(partner) {
      const { account } = partner;
      const { accountId, withdrawalAddressKey: key } = partner.sandbox.fixtures;
      const [method] = (await partner.get(`${account}/funds/deposits/methods/ETH`)).body.data;
      const place = { method_id: method.id, asset_symbol: 'ETH', asset_type: 'crypto' };
      const { address } = await created(partner, `${account}/funds/deposits/addresses`, place);
      await control(partner, 'accounts.deposit', accountId, { address, amount: '1' });
      const asset = { symbol: 'USD', type: 'fiat', amount: '250.00' };
      const { id, inbound } = await created(partner, `${account}/deposits`, { asset, via: 'ach' });
      await control(partner, 'deposits.arrive', inbound.id);
      const withdrawal = { asset_symbol: 'BTC', key, amount: '0.01' };
      const writes = [
        await partner.post(`${account}/quotes/${underWay.quote}/execute`),
        await partner.post(`${account}/conversions`, bodies.conversion),
        await partner.post(`${account}/transfers`, bodies.transfer),
        await partner.post(`${account}/funds/withdrawals`, withdrawal),
      ];
      const onChain = async () =>
        (await partner.get('/v1/funds/transactions?type=deposit')).body.data.find(
          (entry: { asset: { symbol: string } }) => entry.asset.symbol === 'ETH',
        ).status;
      await control(partner, 'clock.advance', 3_599_999);
      return {
        writes: writes.map(({ status, headers }) => `${status} ${headers.get('retry-after')}`),
        conversion: await statusOf(partner, `/v1/conversions/${underWay.conversion}`),
        transfer: await statusOf(partner, `/v1/transfers/${underWay.transfer}`),
        deposit: await onChain(),
        // The API cannot read an expected deposit.
        expected: partner.sandbox.deposits.list().find((one) => one.id === id)?.status,
        read: (await partner.get(list)).status,
      };
    },
    usual: {
      writes: ['200 null', '200 null', '200 null', '200 null'],
      conversion: 'completed',
      transfer: 'completed',
      deposit: 'credited',
      expected: 'credited',
      read: 200,
    },
    inTrouble: {
      writes: ['503 3600', '503 3600', '503 3600', '503 3600'],
      conversion: 'settling',
      transfer: 'processing',
      deposit: 'received',
      expected: 'received',
      read: 200,
    },
  },
  'price drop': {
    async look(partner) {
      const { data } = (await partner.get('/v1/assets?page_size=2')).body;
      const { to } = await created(partner, `${partner.account}/quotes`, bodies.quote);
      return [...data.map(({ symbol, price }: { symbol: string; price: string }) => [symbol, price]), to.amount];
    },
    usual: [['BTC', '67432.1'], ['ETH', '3521.44'], '0.00147926'],
    inTrouble: [['BTC', '53945.68'], ['ETH', '2817.152'], '0.00184908'],
  },
  'KYC review': {
    options: { enforceUserStatus: true },
    async look(partner) {
      const { status } = (await partner.get(`/v1/users/${partner.sandbox.fixtures.userId}`)).body.data;
      return [status, (await partner.get(`${partner.account}/portfolio/details`)).status];
    },
    usual: [{ state: 'ok', required_actions: [] }, 200],
    inTrouble: [
      { state: 'pending', required_actions: [{ type: 'submit_verification', verification: 'proof_of_identity' }] },
      403,
    ],
  },
  'revoked key': { look: async (partner) => (await partner.get(list)).status, usual: 200, inTrouble: 401 },
  'rotated key': {
    async look(partner) {
      const present = new Partner(partner.sandbox, partner.url, (await askControl(partner, 'GET credentials')).data);
      const asked = { method: 'GET', path: list, nonce: partner.nextNonce() };
      return [(await partner.get(list)).status, (await present.call({ ...asked, nonce: partner.nextNonce() })).status];
    },
    usual: [200, 200],
    inTrouble: [401, 200],
  },
  'lossy webhooks': {
    async look(partner) {
      const { data: url } = await askControl(partner, 'GET inbox/url');
      const hook = await control(partner, 'webhooks.register', { url, events: ['quote.executed'] });
      const quotes: string[] = [];
      for (let turn = 0; turn < 40; turn += 1) quotes.push(await executing(partner));
      const arrivedAfter = async (ms: number) => {
        await control(partner, 'clock.advance', ms);
        await control(partner, 'webhooks.idle');
        const { data } = await askControl(partner, 'GET inbox');
        return quotes.map((id) => data.filter(({ body }: { body: string }) => body.includes(id)).length);
      };
      const [soon, late] = [await arrivedAfter(2_000), await arrivedAfter(60_000)];
      await control(partner, 'webhooks.remove', hook.id);
      return distinct(soon.map((count, index) => `${count}, a minute later ${late[index]}`));
    },
    usual: ['1, a minute later 1'],
    inTrouble: ['0, a minute later 0', '0, a minute later 1', '1, a minute later 1', '2, a minute later 2'],
  },
};

/** Makes calls over the control plane, as the documents and the page do. */
async function make(partner: Partner, calls: readonly RecipeCall[]): Promise<void> {
  const own: Readonly<Record<string, unknown>> = {
    [API_KEY]: (await askControl(partner, 'GET credentials')).data.apiKey,
    [USER_ID]: (await askControl(partner, 'GET fixtures')).data.userId,
  };
  for (const [method, ...args] of calls) await control(partner, method, ...args.map((arg) => own[String(arg)] ?? arg));
}

/** What the partner sees before a recipe, with it, and after it was taken back. */
export async function seen({ name, calls, back }: Omit<Recipe, 'effect'>): Promise<unknown[]> {
  const { options, prepare, look } = EFFECTS[name] as Effect;
  const partner = await openSandbox(options);
  await prepare?.(partner);
  const looks = [await look(partner)];
  await prepare?.(partner);
  await make(partner, calls);
  looks.push(await look(partner));
  if (back === undefined) return looks;
  await make(partner, back);
  await prepare?.(partner);
  return [...looks, await look(partner)];
}

/** What the partner must see then. */
export function expected({ name, back }: Omit<Recipe, 'effect'>): unknown[] {
  const { usual, inTrouble } = EFFECTS[name] as Effect;
  return [usual, inTrouble, ...(back === undefined ? [] : [usual])];
}
