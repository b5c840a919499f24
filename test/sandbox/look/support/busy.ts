import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { ADDRESSES } from '../../support/addresses.js';
import { type DirectPartner, directSandbox } from '../../support/direct-partner.js';
import { bodies } from '../../support/partner.js';

const BTC = { symbol: 'BTC', type: 'crypto' };
const USD = { symbol: 'USD', type: 'fiat' };

const makerOf =
  (partner: DirectPartner) =>
  async (path: string, body?: unknown, headers: object = {}) => {
    const answer = await partner.post(path, body, { 'Idempotency-Key': randomUUID(), ...headers });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.data;
  };

/** A partner with orders of most kinds under way. */
export async function busy(): Promise<DirectPartner> {
  const partner = directSandbox({ inspect: true, deliver: async () => new Response(null, { status: 200 }) });
  const { sandbox, account } = partner;
  const { accountId, secondaryAccountId } = sandbox.fixtures;
  const made = makerOf(partner);
  await made(`${account}/quotes`, bodies.quote);
  await made(`${account}/quotes/${(await made(`${account}/quotes`, bodies.quote)).id}/execute`);
  await made(`${account}/wallets/whitelist`, { via: 'ethereum', address: ADDRESSES.ethereum }, { 'API-Otp': '1' });
  await made(`${account}/conversions`, {
    from: { asset: { ...USD, amount: '10' }, source: { type: 'balance' } },
    to: { asset: BTC, destination: { type: 'balance' } },
  });
  await made(`${account}/price-trigger-swaps`, {
    trade: { from: { ...USD, amount: '100' }, to: BTC },
    when: { base: BTC, quote: USD, drops_to: '1000' },
  });
  const to = { account: secondaryAccountId };
  await made(`${account}/transfers`, { from: { asset: { ...USD, amount: '3' } }, to });
  sandbox.accounts.convert(accountId, {
    from: { type: 'balance', symbol: 'BTC', amount: '0.001' },
    to: { type: 'bank', symbol: 'USD' },
  });
  sandbox.webhooks.register({ url: 'https://partner.example/hook' });
  return partner;
}

/** A partner with something of every kind that can be moved. */
export async function busyEverywhere(): Promise<DirectPartner> {
  const partner = await busy();
  const { sandbox, account } = partner;
  const { userId } = sandbox.fixtures;
  const made = makerOf(partner);
  const otp = { 'API-Otp': '1' };
  sandbox.troubles.add({ match: { operation: 'accounts.onchainQuotes.create' }, does: { outcome: 'pending' } });
  for (let count = 0; count < 3; count += 1) await made(`${account}/onchain-quotes`, bodies.onchainQuote);
  const [submitted] = sandbox.resources.list('onchainQuotes', { status: 'offered' });
  sandbox.onchainQuotes.submit(submitted?.id ?? '');
  const withdrawal = { asset_symbol: 'BTC', key: 'cold-storage', amount: '0.01' };
  for (let count = 0; count < 2; count += 1) await made(`${account}/funds/withdrawals`, withdrawal, otp);
  sandbox.withdrawals.hold(sandbox.resources.list('withdrawals', { status: 'pending' })[0]?.id ?? '');
  await made(`${account}/transfers`, bodies.transfer);
  sandbox.transfers.process(sandbox.resources.list('transfers', { status: 'pending' })[0]?.id ?? '');
  const expected = { asset: { ...USD, amount: '25.00' }, via: 'ach' };
  const { inbound } = await made(`${account}/deposits`, expected);
  sandbox.deposits.arrive(inbound.id);
  await made(`${account}/deposits`, expected);
  for (let count = 0; count < 2; count += 1) await deposited(partner);
  sandbox.deposits.receive(sandbox.resources.list('deposits', { status: 'pending' })[0]?.id ?? '');
  await made(`${account}/conversions`, {
    from: { asset: { ...BTC, amount: '0.1' }, source: { type: 'deposit', via: 'bitcoin' } },
    to: { asset: USD },
  });
  await made(`${account}/conversion-rules`, {
    from: { asset: USD, via: 'ach' },
    to: { asset: BTC, destination: { type: 'balance' } },
  });
  await made(`/v1/users/${userId}/verifications/url`, bodies.document);
  return partner;
}

/** Begins a deposit at an address of its own. */
async function deposited(partner: DirectPartner): Promise<void> {
  const { sandbox, account } = partner;
  const [{ id: method_id }] = (await partner.get(`${account}/funds/deposits/methods/XRP`)).body.data;
  const order = { asset_symbol: 'XRP', method_id };
  const { address, tag } = await makerOf(partner)(`${account}/funds/deposits/addresses`, order, { 'API-Otp': '1' });
  sandbox.accounts.deposit(sandbox.fixtures.accountId, { address, amount: '20', tag: tag ?? undefined });
}
