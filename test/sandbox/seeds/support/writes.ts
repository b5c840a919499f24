import type { DirectPartner } from '../../support/direct-partner.js';
import { bodies, requestOf, whitelisting } from '../../support/partner.js';
import { ask, type Body, textsOf } from './asking.js';
import type { Parts } from './parts.js';
import type { Ids } from './reads.js';

/** Adds the answers of writes of every kind, in one order: the ids that they draw are the first of a run. */
export async function askWrites(partner: DirectPartner, parts: Parts, moment: string): Promise<Ids> {
  const { account, sandbox } = partner;
  const { fixtures } = sandbox;
  const send = (name: string, line: string, body?: unknown): Promise<Body> =>
    ask(partner, parts, `${name} ${moment}`, requestOf(line, body, { 'API-Otp': fixtures.otp }));
  const idsOf = async (answer: Promise<Body>): Promise<string[]> => textsOf(await answer, 'id');

  const quotes = [
    ...(await idsOf(send('accounts.quotes.create', `POST ${account}/quotes`, bodies.quote))),
    ...(await idsOf(send('accounts.quotes.create', `POST ${account}/quotes`, bodies.quote))),
  ];
  await send('accounts.quotes.execute', `POST ${account}/quotes/${quotes[0]}/execute`);
  await ask(partner, parts, `accounts.wallets.whitelist ${moment}`, whitelisting(partner, { 'API-Otp': fixtures.otp }));
  const transfers = [
    ...(await idsOf(send('accounts.transfers.create', `POST ${account}/transfers`, bodies.transfer))),
    ...(await idsOf(send('accounts.transfers.create', `POST ${account}/transfers`, bodies.transfer))),
  ];
  await send('transfers.cancel', `POST /v1/transfers/${transfers[1]}/cancel`);
  const addresses = `${account}/funds/withdrawals/addresses`;
  const { key: _, ...address } = bodies.address(fixtures.methodId, 'cold');
  await send('funds.withdrawalAddresses.validate', 'POST /v1/funds/withdrawals/addresses/validate', address);
  await send('funds.withdrawalAddresses.save', `POST ${addresses}`, bodies.address(fixtures.methodId, 'cold'));
  const withdrawal = { asset_symbol: 'BTC', key: 'cold', amount: '0.01' };
  await send('funds.withdrawals.create', `POST ${account}/funds/withdrawals`, { ...withdrawal, preview: true });
  await send('funds.withdrawals.create', `POST ${account}/funds/withdrawals`, withdrawal);
  await send('funds.withdrawalAddresses.update', `PATCH ${addresses}/cold`, { new_key: 'vault' });
  await send('funds.withdrawalAddresses.delete', `DELETE ${addresses}/vault`);
  const user = `/v1/users/${fixtures.userId}`;
  await send('users.create', 'POST /v1/users', bodies.user);
  await send('users.createHeadless', 'POST /v1/users/headless', { external_reference: 'headless' });
  await send('users.update', `PATCH ${user}`, { phone: '+442071234568' });
  await send('users.verifications.submitUrl', `POST ${user}/verifications/url`, bodies.document);
  const webhook = { url: 'https://partner.example/hooks' };
  const webhooks = await idsOf(send('webhooks.create', 'POST /v1/webhooks', webhook));
  await send('webhooks.update', `PATCH /v1/webhooks/${webhooks[0]}`, { description: 'all events' });
  await send('webhooks.test', `POST /v1/webhooks/${webhooks[0]}/test`);
  await send('webhooks.delete', `DELETE /v1/webhooks/${fixtures.webhookId}`);
  await send('accounts.conversions.create', `POST ${account}/conversions`, bodies.conversion);
  await send('accounts.conversionRules.create', `POST ${account}/conversion-rules`, {
    from: { asset: { symbol: 'USD', type: 'fiat' }, via: 'sepa' },
    to: { asset: { symbol: 'BTC', type: 'crypto' }, destination: { type: 'balance' } },
  });
  const expected = { asset: { symbol: 'BTC', type: 'crypto', amount: '0.5' }, via: 'bitcoin' };
  await send('accounts.deposits.create', `POST ${account}/deposits`, expected);
  const onchain = `${account}/onchain-quotes`;
  const onchainQuotes = await idsOf(send('accounts.onchainQuotes.create', `POST ${onchain}`, bodies.onchainQuote));
  const swaps = `${account}/price-trigger-swaps`;
  const priceTriggerSwaps = [
    ...(await idsOf(send('accounts.priceTriggerSwaps.create', `POST ${swaps}`, bodies.priceTriggerSwap))),
    ...(await idsOf(send('accounts.priceTriggerSwaps.create', `POST ${swaps}`, bodies.priceTriggerSwap))),
  ];
  await send('accounts.priceTriggerSwaps.cancel', `POST ${swaps}/${priceTriggerSwaps[1]}/cancel`);
  const methods = await send('funds.depositMethods.list', `GET ${account}/funds/deposits/methods/XRP`);
  const deposit = { asset_symbol: 'XRP', method_id: textsOf(methods, 'id')[0] };
  await send('funds.depositAddresses.create', `POST ${account}/funds/deposits/addresses`, deposit);
  await send('funds.addresses.delete', `DELETE ${account}/funds/addresses/${fixtures.addressId}`);
  await send('accounts.earn.auto.update', `PATCH ${account}/earn/auto`, { staking: 'enabled' });
  return { quotes, transfers, onchainQuotes, priceTriggerSwaps };
}
