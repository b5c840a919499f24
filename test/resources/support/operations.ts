import type { Page, PartnerClient } from '../../../src/index.js';
import * as sample from './samples.js';
import { OTP } from './service.js';

export const ACCOUNT = 'ACCOUNT-MAIN-0001';
export const USER = 'USER-OF-TESTS-0001';
export const ADDRESS_ID = 'ABcdeFG-12345-hijKL6';

export type RequestOptions = NonNullable<Parameters<PartnerClient['accounts']['quotes']['create']>[2]>;

/** What a test hands to an operation. */
export interface Given {
  readonly ids: readonly string[];
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** One of the operations: what it is called with, what must arrive, and what is answered. */
export interface OperationCase extends Given {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly template: string;
  readonly key?: true;
  readonly otp?: true;
  readonly paged?: true;
  /** What is answered has no rules. */
  readonly nothing?: true;
  /** The body of the answer is the value: it has no `data`. */
  readonly bare?: true;
  /** A whole body that the service may answer. */
  readonly answer: unknown;
}

/** What a path id is in the sample input. */
const IDS: Readonly<Record<string, string>> = {
  ...{ user_id: USER, account_id: ACCOUNT, quote_id: 'quote-1', key: 'cold', address_id: ADDRESS_ID },
  ...{ bank_link_id: 'bank-link-1', asset_symbol: 'USD', asset_type: 'fiat', id: 'trigger-1' },
  webhook_id: sample.webhook.id,
  report_id: sample.settlementReport.id,
  ...{ conversion_id: 'conversion-1', transfer_id: 'transfer-1' },
};

type Input = Pick<OperationCase, 'query' | 'body' | 'key' | 'otp' | 'paged' | 'nothing' | 'bare'>;

/** `echoes` are the members of the answer beside `data`. */
const at =
  (method: OperationCase['method']) =>
  (name: string, template: string, data: unknown, input: Input = {}, echoes = {}): OperationCase => ({
    ...{ name, method, template, ids: idNames({ template }).map((id) => IDS[id] as string) },
    ...{ ...input, answer: input.bare ? data : { ...echoes, data } },
  });
const [get, post, patch, remove] = [at('GET'), at('POST'), at('PATCH'), at('DELETE')];

const quoteBody = {
  from: { symbol: 'USD', type: 'fiat', amount: '100.00' },
  to: { symbol: 'BTC', type: 'crypto' },
  fee: { bps: 25 },
};
const onchainBody = {
  from: { symbol: 'USDC', type: 'stablecoin', wallet: { address: '0xc11e', network: 'ethereum' } },
  to: { symbol: 'AAPLX', type: 'xstock', amount: '0.51' },
};
const walletBody = {
  via: 'ethereum',
  address: '0xc11e',
  memo: 'Gr\u00fc\u00dfe \u{1F44B}',
  external_user_id: 'customer-17',
};
const ruleBody = {
  from: { asset: { symbol: 'USD', type: 'fiat', amount: '100.00' }, via: 'sepa' },
  to: {
    asset: { symbol: 'BTC', type: 'crypto' },
    destination: { type: 'wallet', wallet_id: 'wallet-1', user_id: USER },
  },
  ...{ name: 'salaries', status: 'paused' },
};
const conversionBody = {
  from: { asset: ruleBody.from.asset, source: { type: 'bank', via: 'ach', account_link_id: 'link-1' } },
  to: { ...ruleBody.to, later: ['x'] },
  ...{ swap_quote_id: 'quote-1', transaction_id: 't-1' },
};
const depositBody = { asset: { symbol: 'BTC', type: 'crypto', amount: '0.50' }, via: 'bitcoin' };
const transferBody = {
  from: { asset: { symbol: 'USD', type: 'fiat', amount: '1.50', later: ['x'] }, reference: 'r' },
  to: { tag: 'a tag', note: { of: 'a later edition' } },
  purpose: 'rent',
};
const addressBody = {
  ...{ asset_symbol: 'XRP', method_id: sample.METHOD_ID, key: 'cold "1"', address: 'rAddress' },
  ...{ asset_type: 'crypto', memo: '12', tag: '34' },
};
const validateBody = {
  ...{ asset_symbol: 'XRP', method_id: sample.METHOD_ID, address: 'rAddress', asset_type: 'crypto', memo: null },
};
const depositAddressBody = { method_id: sample.METHOD_ID, asset_symbol: 'XRP', asset_type: 'crypto' };
const withdrawalBody = {
  ...{ asset_symbol: 'XRP', key: 'cold', amount: '0.50', asset_type: 'crypto', fee_token: 'KFEE', preview: true },
};
const assetsQuery = {
  ...{ type: ['crypto', 'stablecoin'], swap_trading: true, withdraw: false, deposit: true },
  ...{ sort: 'volume.last_24h', sort_direction: 'desc', page_size: 100, page_token: 'a token/+=&?' },
  ...{ quote_symbol: 'EUR', quote_type: 'fiat' },
};
const triggerBody = {
  trade: quoteBody,
  when: { base: { symbol: 'BTC', type: 'crypto' }, quote: { symbol: 'USD', type: 'fiat' }, drops_to: '60000.50' },
  ...{ external_reference: 'order \u{1F44B} 17', name: 'dip' },
};
const rateEchoes = {
  ...{ quote_symbol: 'EUR', quote_type: 'fiat', start_timestamp: '2025-01-02T03:04:05Z' },
  ...{ end_timestamp: '2025-01-03T03:04:05Z', interval: 'PT1H', page_size: 100 },
};
const fullName = { first_name: 'Ada', last_name: 'Gr\u00fcn', middle_name: 'M' };
const residence = {
  ...{ line1: 'Hauptstr. 1', line2: '2. OG', city: 'Berlin', province: 'BE', postal_code: '10115', country: 'DE' },
};
const born = { date: '1990-01-02', city: 'Berlin', country: 'DE' };
const person = { full_name: fullName, residence, phone: '+491701234567', nationalities: ['DE', 'FR'], birth: born };
const userBody = {
  ...{ email: 'ada@customer.test', external_reference: 'customer-17', ...person, occupation: 'engineer' },
};
const verificationBody = {
  type: 'identity_document',
  metadata: {
    identity: { full_name: fullName, birth: born },
    ...{ document_type: 'id_card', document_number: 'L01X00T47', issuing_country: 'DE', verifier: 'a verifier' },
    ...{ verified_at: '2025-01-02T03:04:05Z', verifier_response: { score: 1 } },
  },
  front_url: 'https://documents.partner.test/front.jpg',
  back_url: 'https://documents.partner.test/back.jpg',
  verifier_response_url: 'https://documents.partner.test/response.json',
};
const webhookBody = { url: 'https://hooks.partner.test/v1?a=b', events: ['quote.executed'], description: 'Orders' };
const rampQuery = {
  ...{ from_symbol: 'USD', from_type: 'fiat', from_method: 'card', from_amount: '100.50' },
  ...{ to_symbol: 'BTC', to_type: 'crypto', to_method: 'bitcoin' },
  ...{ country: 'US', subdivision: 'CA', affiliate_fee_bps: '100' },
};
const inDollars = { quote_symbol: 'USD', quote_type: 'fiat' };
const checkoutQuery = {
  ...{ in_asset_symbol: 'USD', in_asset_type: 'fiat', in_method: 'card', in_amount: '100.50', country: 'US' },
  ...{ out_asset_symbol: 'BTC', out_asset_type: 'crypto', out_method: 'bitcoin', subdivision: 'CA' },
  ...{
    affiliate_fee_bps: '100',
    redirect_url: 'https://partner.test/done?id=1&ok',
    failure_url: 'https://partner.test/no',
  },
  ...{ external_user_id: 'customer-17', external_transaction_id: 'order \u{1F44B} 17', network: 'bitcoin' },
  ...{ wallet_address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', memo: '12', newer: 'x' },
};
const sidesQuery = {
  ...{ in_asset_symbol: 'USD', in_asset_type: 'fiat', in_method: 'card', country: 'US', newer: ['x', 'y'] },
  ...{ out_asset_symbol: 'BTC', out_asset_type: 'crypto', out_method: 'bitcoin' },
};
const inQuote = { quote_symbol: 'USDC', quote_type: 'stablecoin' };
const assets = [{ symbol: 'BTC', type: 'crypto' }, { symbol: 'USDC' }, { type: 'fiat' }];
const period = { start_timestamp: '2025-01-02T00:00:00Z', end_timestamp: '2025-01-03T00:00:00Z' };
const transactionsQuery = { types: ['simple_order', 'deposit'], assets, ...period };
const reportsQuery = {
  start_date: '2025-01-01T00:00:00Z',
  end_date: '2025-01-02T00:00:00Z',
  report_type: ['swaps', 'earn_rewards'],
};
const account = '/v1/accounts/{account_id}';
const triggers = `${account}/price-trigger-swaps`;
const asset = '/v1/assets/{asset_type}/{asset_symbol}';
const addresses = `${account}/funds/withdrawals/addresses`;
const depositAddresses = `${account}/funds/deposits/addresses`;

const earn = `${account}/earn/auto`;
const ramp = '/v1/ramp';

const { quote, quoteExecution, onchainQuote, assetEchoes, priceTriggerSwap } = sample;
const listings = [sample.assetListing, sample.fiatListing];
const entries = [sample.portfolioEntry, sample.fiatPortfolioEntry];
const [key, paged] = [true, true] as const;
const pages = { query: { page_size: 25, page_token: 'from here' }, paged };
const ofAsset = { query: { asset_symbol: 'XRP', page_size: 1, page_token: 'x' }, paged };
const ofAddresses = { ...ofAsset, query: { ...ofAsset.query, asset_type: 'crypto' } };
const ofAnything = { query: { ...pages.query, newer: 'x' }, paged };
const ofLedger = { query: { type: 'withdrawal', page_size: 500, cursor: 'from here' }, paged };
const ofTriggers = { query: { statuses: ['active', 'completed'], page_size: 100, page_token: 'x' }, paged };
const ofRates = { query: { ...rateEchoes, page_token: 'x' }, paged };
const ofEarn = { query: { page_size: 200, page_token: 'x' }, paged };
const ofCountry = { query: { country: 'DE', page_size: 200, page_token: 'x' }, paged };
const allocationEchoes = { quote_symbol: 'USD', quote_type: 'fiat', total_allocated_in_quote: '5282.1600' };
const rewardEchoes = {
  ...{ quote_symbol: 'USD', quote_type: 'fiat', total_rewarded_in_quote: '0.42', next_reward_date: '2025-01-03' },
};
const ofLimits = { query: { page_size: 1, page_token: 'x' }, paged };
const ofConversions = { query: { conversion_rule_id: 'rule-1', status: 'settling', ...pages.query }, paged };
const ofTransfers = { query: { ...pages.query, status: 'pending' }, paged };
const whitelisting = { body: walletBody, key, otp: true } as const;

export const OPERATIONS: readonly OperationCase[] = [
  get('users.get', '/v1/users/{user_id}', sample.user),
  post('users.create', '/v1/users', sample.createdUser, { body: userBody }),
  post('users.createHeadless', '/v1/users/headless', sample.createdUser, {
    body: { external_reference: 'customer-17' },
  }),
  patch('users.update', '/v1/users/{user_id}', 'success', { body: person, nothing: true }),
  get('users.verifications.list', '/v1/users/{user_id}/verifications', { verifications: [sample.verification] }),
  post(
    'users.verifications.submitUrl',
    '/v1/users/{user_id}/verifications/url',
    { verification_id: 'PVABCDE-FGHIJ-KLMNOP' },
    { body: verificationBody },
  ),
  get('users.assets.list', '/v1/users/{user_id}/assets', listings, { query: assetsQuery, paged }, assetEchoes),
  get('assets.list', '/v1/assets', listings, { query: assetsQuery, paged }, assetEchoes),
  get('assets.get', asset, sample.assetListing, { query: { quote_symbol: 'EUR', quote_type: 'fiat' } }),
  get('assets.rates.list', `${asset}/rates`, [sample.assetRate], ofRates, rateEchoes),
  get('swap.assets.list', '/v1/swap/assets', [sample.swapAsset], { query: { page_size: 100, newer: 'x' }, paged }),
  post('accounts.conversionRules.create', `${account}/conversion-rules`, sample.conversionRule, {
    body: ruleBody,
    key,
  }),
  post('accounts.conversions.create', `${account}/conversions`, sample.accountConversion, {
    ...{ body: conversionBody, key },
  }),
  get('accounts.conversions.list', `${account}/conversions`, [sample.accountConversion], ofConversions),
  post('accounts.deposits.create', `${account}/deposits`, sample.expectedDeposit, { body: depositBody, key }),
  post('accounts.transfers.create', `${account}/transfers`, sample.moneyTransfer, { body: transferBody, key }),
  get('accounts.transfers.list', `${account}/transfers`, [sample.moneyTransfer], ofTransfers),
  get('accounts.onDemandConversions.list', `${account}/on-demand-conversions`, [sample.conversion], pages),
  get('accounts.quotes.get', `${account}/quotes/{quote_id}`, quote),
  post('accounts.quotes.create', `${account}/quotes`, quote, { body: quoteBody, key }),
  post('accounts.quotes.execute', `${account}/quotes/{quote_id}/execute`, quoteExecution, { key }),
  post('accounts.onchainQuotes.create', `${account}/onchain-quotes`, onchainQuote, { body: onchainBody }),
  get('accounts.onchainQuotes.get', `${account}/onchain-quotes/{quote_id}`, onchainQuote),
  get('accounts.onchainQuotes.list', `${account}/onchain-quotes`, [onchainQuote, sample.pendingOnchainQuote], pages),
  post('accounts.priceTriggerSwaps.create', triggers, { id: 'trigger-1' }, { body: triggerBody, key }),
  get('accounts.priceTriggerSwaps.get', `${triggers}/{id}`, priceTriggerSwap),
  get('accounts.priceTriggerSwaps.list', triggers, [priceTriggerSwap], ofTriggers),
  post('accounts.priceTriggerSwaps.cancel', `${triggers}/{id}/cancel`, {}, { key, nothing: true }),
  get('accounts.portfolio.details', `${account}/portfolio/details`, entries, { query: inQuote }, inQuote),
  get('accounts.portfolio.summary', `${account}/portfolio/summary`, sample.portfolioSummary, { query: inDollars }),
  get('accounts.portfolio.transactions.list', `${account}/portfolio/transactions`, [sample.portfolioTransaction], {
    query: { ...transactionsQuery, ...pages.query },
    paged,
  }),
  get(
    'accounts.portfolio.history',
    `${account}/portfolio/history`,
    [sample.portfolioHistoryPoint],
    { query: { assets, ...sample.historyEchoes } },
    sample.historyEchoes,
  ),
  post('accounts.wallets.whitelist', `${account}/wallets/whitelist`, sample.whitelistedWallet, whitelisting),
  get('accounts.earn.auto.get', earn, { staking: 'pending_enabled' }, { bare: true }),
  patch('accounts.earn.auto.update', earn, {}, { body: { staking: 'enabled' }, nothing: true, bare: true }),
  get('accounts.earn.auto.assets.list', `${earn}/assets`, [sample.earnAsset], ofEarn),
  get('accounts.earn.auto.allocations.list', `${earn}/allocations`, [sample.earnAllocation], ofEarn, allocationEchoes),
  get('accounts.earn.auto.rewards.list', `${earn}/rewards`, [sample.earnReward], ofEarn, rewardEchoes),
  post('funds.withdrawalAddresses.save', addresses, sample.savedAddress, { body: addressBody, key }),
  post(
    'funds.withdrawalAddresses.validate',
    '/v1/funds/withdrawals/addresses/validate',
    { valid: false },
    { body: validateBody, key },
  ),
  patch(
    'funds.withdrawalAddresses.update',
    `${addresses}/{key}`,
    { key: 'colder' },
    { body: { new_key: 'colder' }, key },
  ),
  remove('funds.withdrawalAddresses.delete', `${addresses}/{key}`, { key: 'cold' }, { nothing: true }),
  get('funds.withdrawalAddresses.list', addresses, [sample.withdrawalAddressEntry], ofAsset),
  get(
    'funds.withdrawalMethods.list',
    `${account}/funds/withdrawals/methods/{asset_symbol}`,
    [sample.withdrawalMethod],
    ofAnything,
  ),
  remove('funds.addresses.delete', `${account}/funds/addresses/{address_id}`, { deleted: true }, { nothing: true }),
  get('funds.bankLinks.get', `${account}/funds/bank-links/{bank_link_id}`, sample.bankLink),
  get('funds.depositLimits.list', `${account}/funds/deposits/limits/{asset_symbol}`, [sample.depositLimit], ofLimits),
  get('funds.depositMethods.list', `${account}/funds/deposits/methods/{asset_symbol}`, [sample.depositMethod], pages),
  post('funds.depositAddresses.create', depositAddresses, sample.depositAddress, { body: depositAddressBody, key }),
  get('funds.depositAddresses.list', depositAddresses, [sample.depositAddressEntry], ofAddresses),
  post('funds.withdrawals.create', `${account}/funds/withdrawals`, sample.withdrawal, { body: withdrawalBody, key }),
  get('funds.transactions.list', '/v1/funds/transactions', [sample.fundsTransaction], ofLedger),
  get('conversions.get', '/v1/conversions/{conversion_id}', sample.accountConversion),
  get('transfers.get', '/v1/transfers/{transfer_id}', sample.moneyTransfer),
  post('transfers.cancel', '/v1/transfers/{transfer_id}/cancel', { status: 'cancelled' }, { nothing: true }),
  get('earn.auto.assets.list', '/v1/earn/auto/assets', [sample.earnAsset], ofCountry),
  get('ramp.countries.list', `${ramp}/countries`, [{ country: 'US', subdivisions: ['CA', 'NY'] }], ofEarn),
  get(
    'ramp.fiatCurrencies.list',
    `${ramp}/fiat-currencies`,
    [{ symbol: 'USD', nested: { limits: [1] } }, 'EUR'],
    ofAnything,
  ),
  get('ramp.paymentMethods.list', `${ramp}/payment-methods`, ['card', { id: 'sepa', later: [1] }], ofAnything),
  get('ramp.assets.list', `${ramp}/buy/crypto`, [{ symbol: 'BTC', networks: ['bitcoin'] }, 'ETH'], {
    query: { country: 'US', subdivision: 'CA', ...ofAnything.query },
    paged,
  }),
  get('ramp.limits.get', `${ramp}/limits`, sample.rampLimit, { query: sidesQuery }),
  get('ramp.checkout.get', `${ramp}/checkout`, sample.rampCheckout, { query: checkoutQuery }),
  get('rampQuotes.prospective', '/v1/ramp/quotes/prospective', sample.rampQuote, { query: rampQuery }),
  get('reports.settlement.list', '/v1/reports/settlement', [sample.settlementReport], {
    query: { ...reportsQuery, ...pages.query },
    paged,
  }),
  get('reports.settlement.get', '/v1/reports/settlement/{report_id}', sample.settlementReportDownload),
  get('webhooks.list', '/v1/webhooks', [sample.webhook], pages),
  post('webhooks.create', '/v1/webhooks', sample.registeredWebhook, { body: webhookBody, key }),
  patch('webhooks.update', '/v1/webhooks/{webhook_id}', sample.webhook, {
    body: { events: ['quote.executed', 'swap.completed'], disabled: false, description: '' },
    key,
  }),
  remove('webhooks.delete', '/v1/webhooks/{webhook_id}', sample.deletedWebhook),
  post('webhooks.test', '/v1/webhooks/{webhook_id}/test', sample.webhookTest, { key }),
];

export function operation(name: string): OperationCase {
  const found = OPERATIONS.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
}

/** The names of a template's path ids, in order. */
export function idNames({ template }: Pick<OperationCase, 'template'>): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

/** The path with each id in place, encoded by `encode`. */
export function pathOf(operation: OperationCase, ids: readonly string[], encode = encodeURIComponent): string {
  let index = 0;
  return operation.template.replace(/\{\w+\}/g, () => encode(ids[index++] as string));
}

/** Calls the method of an operation's name with its sample input, or with parts of it replaced. */
export function invoke(
  { name, ids, query, body, otp }: OperationCase,
  client: PartnerClient,
  given: Partial<Given> = {},
  options?: RequestOptions,
): PromiseLike<unknown> {
  const names = name.split('.');
  const method = names.pop() as string;
  const resource = names.reduce<object>((holder, member) => Reflect.get(holder, member), client);
  const all = { ids, query, body, ...given };
  const inputs = [...(query ? [all.query] : []), ...(body ? [all.body] : [])];
  const call = Reflect.get(resource, method) as (...args: unknown[]) => PromiseLike<unknown>;
  const args = [...ids.map((_, index) => all.ids[index]), ...inputs, otp ? { otp: OTP, ...options } : options];
  return call.apply(resource, args);
}

/** The id at `index` replaced. */
export const withId = (operation: OperationCase, index: number, value: string): string[] =>
  operation.ids.map((given, at) => (at === index ? value : given));

/** A copy of a plain value with the member at a dotted path set, or taken out when `value` is undefined. */
export function withMember(target: unknown, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(target ?? {}) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() as string;
  let at = copy;
  for (const name of names) {
    at[name] ??= {};
    at = at[name] as Record<string, unknown>;
  }
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

/** True if the method gives all members of the body, not only those of `data`. */
export const givesEnvelope = ({ name, paged, bare }: OperationCase): boolean =>
  paged === true || bare === true || ['accounts.portfolio.details', 'accounts.portfolio.history'].includes(name);

/** What the method gives, put back into the form of the envelope it came in. */
export function envelope(op: OperationCase, result: unknown): unknown {
  if (op.paged) {
    const { items, nextPageToken, meta } = result as Page<unknown>;
    return {
      ...(meta as object),
      data: items,
      ...(nextPageToken === undefined ? {} : { next_page_token: nextPageToken }),
    };
  }
  if (givesEnvelope(op) && !op.bare) {
    const { items, ...rest } = result as { items: unknown };
    return { ...rest, data: items };
  }
  return op.name === 'users.verifications.list' ? { verifications: result } : result;
}
