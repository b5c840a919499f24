import type { Page, PartnerClient } from '../../../src/index.js';
import * as sample from './samples.js';
import { OTP, wrong } from './service.js';

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

/** One of the 17 operations: what it is called with, what must arrive, and what is answered. */
export interface OperationCase extends Given {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly template: string;
  readonly key?: true;
  readonly otp?: true;
  readonly paged?: true;
  /** A whole body that the service may answer. */
  readonly answer: unknown;
  call(client: PartnerClient, given: Given, options?: RequestOptions): PromiseLike<unknown>;
}

const id = (given: Given, index: number): string => given.ids[index] as string;

export const OPERATIONS: readonly OperationCase[] = [
  {
    name: 'users.get',
    method: 'GET',
    template: '/v1/users/{user_id}',
    ids: [USER],
    answer: { data: sample.user },
    call: (client, given, options) => client.users.get(id(given, 0), options),
  },
  {
    name: 'users.verifications.list',
    method: 'GET',
    template: '/v1/users/{user_id}/verifications',
    ids: [USER],
    answer: { data: { verifications: [sample.verification] } },
    call: (client, given, options) => client.users.verifications.list(id(given, 0), options),
  },
  {
    name: 'users.assets.list',
    method: 'GET',
    template: '/v1/users/{user_id}/assets',
    ids: [USER],
    query: {
      type: ['crypto', 'stablecoin'],
      swap_trading: true,
      withdraw: false,
      deposit: true,
      sort: 'volume.last_24h',
      sort_direction: 'desc',
      page_size: 100,
      page_token: 'a token/+=&?',
      quote_symbol: 'EUR',
      quote_type: 'fiat',
    },
    paged: true,
    answer: { ...sample.assetEchoes, data: [sample.assetListing, sample.fiatListing] },
    call: (client, given, options) => client.users.assets.list(id(given, 0), wrong(given.query), options),
  },
  {
    name: 'accounts.onDemandConversions.list',
    method: 'GET',
    template: '/v1/accounts/{account_id}/on-demand-conversions',
    ids: [ACCOUNT],
    query: { page_size: 25, page_token: 'from here' },
    paged: true,
    answer: { data: [sample.conversion] },
    call: (client, given, options) =>
      client.accounts.onDemandConversions.list(id(given, 0), wrong(given.query), options),
  },
  {
    name: 'accounts.quotes.get',
    method: 'GET',
    template: '/v1/accounts/{account_id}/quotes/{quote_id}',
    ids: [ACCOUNT, 'quote-1'],
    answer: { data: sample.quote },
    call: (client, given, options) => client.accounts.quotes.get(id(given, 0), id(given, 1), options),
  },
  {
    name: 'accounts.quotes.create',
    method: 'POST',
    template: '/v1/accounts/{account_id}/quotes',
    ids: [ACCOUNT],
    body: {
      from: { symbol: 'USD', type: 'fiat', amount: '100.00' },
      to: { symbol: 'BTC', type: 'crypto' },
      fee: { bps: 25 },
    },
    key: true,
    answer: { data: sample.quote },
    call: (client, given, options) => client.accounts.quotes.create(id(given, 0), wrong(given.body), options),
  },
  {
    name: 'accounts.quotes.execute',
    method: 'POST',
    template: '/v1/accounts/{account_id}/quotes/{quote_id}/execute',
    ids: [ACCOUNT, 'quote-1'],
    key: true,
    answer: { data: sample.quoteExecution },
    call: (client, given, options) => client.accounts.quotes.execute(id(given, 0), id(given, 1), options),
  },
  {
    name: 'accounts.onchainQuotes.create',
    method: 'POST',
    template: '/v1/accounts/{account_id}/onchain-quotes',
    ids: [ACCOUNT],
    body: {
      from: { symbol: 'USDC', type: 'stablecoin', wallet: { address: '0xc11e', network: 'ethereum' } },
      to: { symbol: 'AAPLX', type: 'xstock', amount: '0.51' },
    },
    answer: { data: sample.onchainQuote },
    call: (client, given, options) => client.accounts.onchainQuotes.create(id(given, 0), wrong(given.body), options),
  },
  {
    name: 'accounts.portfolio.details',
    method: 'GET',
    template: '/v1/accounts/{account_id}/portfolio/details',
    ids: [ACCOUNT],
    query: { quote_symbol: 'USDC', quote_type: 'stablecoin' },
    answer: {
      data: [sample.portfolioEntry, sample.fiatPortfolioEntry],
      quote_symbol: 'USDC',
      quote_type: 'stablecoin',
    },
    call: (client, given, options) => client.accounts.portfolio.details(id(given, 0), wrong(given.query), options),
  },
  {
    name: 'accounts.wallets.whitelist',
    method: 'POST',
    template: '/v1/accounts/{account_id}/wallets/whitelist',
    ids: [ACCOUNT],
    body: { via: 'ethereum', address: '0xc11e', memo: 'Gr\u00fc\u00dfe \u{1F44B}', external_user_id: 'customer-17' },
    key: true,
    otp: true,
    answer: { data: sample.whitelistedWallet },
    call: (client, given, options) =>
      client.accounts.wallets.whitelist(id(given, 0), wrong(given.body), { otp: OTP, ...options }),
  },
  {
    name: 'funds.withdrawalAddresses.save',
    method: 'POST',
    template: '/v1/accounts/{account_id}/funds/withdrawals/addresses',
    ids: [ACCOUNT],
    body: {
      asset_symbol: 'XRP',
      method_id: sample.METHOD_ID,
      key: 'cold "1"',
      address: 'rAddress',
      asset_type: 'crypto',
      memo: '12',
      tag: '34',
    },
    key: true,
    answer: { data: sample.savedAddress },
    call: (client, given, options) => client.funds.withdrawalAddresses.save(id(given, 0), wrong(given.body), options),
  },
  {
    name: 'funds.withdrawalAddresses.update',
    method: 'PATCH',
    template: '/v1/accounts/{account_id}/funds/withdrawals/addresses/{key}',
    ids: [ACCOUNT, 'cold'],
    body: { new_key: 'colder' },
    key: true,
    answer: { data: { key: 'colder' } },
    call: (client, given, options) =>
      client.funds.withdrawalAddresses.update(id(given, 0), id(given, 1), wrong(given.body), options),
  },
  {
    name: 'funds.addresses.delete',
    method: 'DELETE',
    template: '/v1/accounts/{account_id}/funds/addresses/{address_id}',
    ids: [ACCOUNT, ADDRESS_ID],
    answer: { data: { deleted: true } },
    call: (client, given, options) => client.funds.addresses.delete(id(given, 0), id(given, 1), options),
  },
  {
    name: 'funds.bankLinks.get',
    method: 'GET',
    template: '/v1/accounts/{account_id}/funds/bank-links/{bank_link_id}',
    ids: [ACCOUNT, 'bank-link-1'],
    answer: { data: sample.bankLink },
    call: (client, given, options) => client.funds.bankLinks.get(id(given, 0), id(given, 1), options),
  },
  {
    name: 'funds.depositLimits.list',
    method: 'GET',
    template: '/v1/accounts/{account_id}/funds/deposits/limits/{asset_symbol}',
    ids: [ACCOUNT, 'USD'],
    query: { page_size: 1, page_token: 'x' },
    paged: true,
    answer: { data: [sample.depositLimit] },
    call: (client, given, options) =>
      client.funds.depositLimits.list(id(given, 0), id(given, 1), wrong(given.query), options),
  },
  {
    name: 'rampQuotes.prospective',
    method: 'GET',
    template: '/v1/ramp/quotes/prospective',
    ids: [],
    query: {
      from_symbol: 'USD',
      from_type: 'fiat',
      from_method: 'card',
      from_amount: '100.50',
      to_symbol: 'BTC',
      to_type: 'crypto',
      to_method: 'bitcoin',
      country: 'US',
      subdivision: 'CA',
      affiliate_fee_bps: '100',
    },
    answer: { data: sample.rampQuote },
    call: (client, given, options) => client.rampQuotes.prospective(wrong(given.query), options),
  },
  {
    name: 'webhooks.list',
    method: 'GET',
    template: '/v1/webhooks',
    ids: [],
    query: { page_size: 25, page_token: 'from here' },
    paged: true,
    answer: { data: [sample.webhook] },
    call: (client, given, options) => client.webhooks.list(wrong(given.query), options),
  },
];

export function operation(name: string): OperationCase {
  const found = OPERATIONS.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
}

/** The names of a template's path ids, in order. */
export const idNames = ({ template }: OperationCase): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);

/** The path with each id in place, encoded by `encode`. */
export function pathOf(operation: OperationCase, ids: readonly string[], encode = encodeURIComponent): string {
  let index = 0;
  return operation.template.replace(/\{\w+\}/g, () => encode(ids[index++] as string));
}

/** Calls an operation with its sample input, or with parts of it replaced. */
export function invoke(
  operation: OperationCase,
  client: PartnerClient,
  given: Partial<Given> = {},
  options?: RequestOptions,
): PromiseLike<unknown> {
  return operation.call(
    client,
    { ids: operation.ids, query: operation.query, body: operation.body, ...given },
    options,
  );
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
  if (op.name === 'accounts.portfolio.details') {
    const { items, ...rest } = result as { items: unknown };
    return { ...rest, data: items };
  }
  return op.name === 'users.verifications.list' ? { verifications: result } : result;
}
