import type { Page, PartnerClient } from '../../../src/index.js';
import { operations } from '../../../src/resources/operations.js';
import { IDS } from '../../contract/ids.js';
import { OPERATIONS as ROWS } from '../../contract/operations/index.js';
import * as sample from './samples.js';
import { OTP } from './service.js';

export const { accountId: ACCOUNT, userId: USER, addressId: ADDRESS_ID } = IDS;

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

const DOLLARS = { symbol: 'USD', type: 'fiat', amount: '100.00' };
const IN_DOLLARS = { quote_symbol: 'USD', quote_type: 'fiat' };
const SIDES = {
  in_asset_type: 'fiat',
  in_method: 'card',
  out_asset_type: 'crypto',
  out_method: 'bitcoin',
  country: 'US',
};

/** Members that an operation also takes, beside those with which its row in `test/contract` is called. */
const MORE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'users.update': { full_name: { first_name: 'Ada', last_name: 'Gr\u00fcn' }, nationalities: ['DE', 'FR'] },
  'users.assets.list': { ...IN_DOLLARS, withdraw: false, deposit: true },
  'assets.list': { ...IN_DOLLARS, swap_trading: true, sort: 'volume.last_24h', sort_direction: 'desc' },
  'swap.assets.list': { newer: 'x' },
  'accounts.conversionRules.create': { from: { asset: DOLLARS, via: 'sepa' } },
  'accounts.conversions.create': {
    from: { asset: DOLLARS, source: { type: 'bank', via: 'ach', account_link_id: 'link-1' } },
  },
  'accounts.deposits.create': { asset: { symbol: 'BTC', type: 'crypto', amount: '0.50' }, via: 'bitcoin' },
  'accounts.transfers.create': { from: { asset: { ...DOLLARS, amount: '1.50', later: ['x'] } }, to: { tag: 'a tag' } },
  'accounts.conversions.list': { conversion_rule_id: 'rule-1' },
  'accounts.priceTriggerSwaps.create': { name: 'dip', external_reference: 'order \u{1F44B} 17' },
  'accounts.portfolio.summary': IN_DOLLARS,
  'accounts.wallets.whitelist': { memo: 'Gr\u00fc\u00dfe \u{1F44B}' },
  'funds.withdrawalAddresses.save': { memo: '12', tag: '34' },
  'funds.withdrawalAddresses.validate': { asset_type: 'crypto' },
  'funds.depositAddresses.create': { asset_type: 'crypto' },
  'funds.withdrawals.create': { asset_type: 'crypto', fee_token: 'KFEE', preview: true },
  'ramp.limits.get': { ...SIDES, newer: ['x', 'y'] },
  'ramp.checkout.get': { ...SIDES, memo: '12', newer: 'x' },
  'rampQuotes.prospective': { from_type: 'fiat', from_method: 'card', to_type: 'crypto', to_method: 'bitcoin' },
  'webhooks.update': { description: '' },
};

/** Answers with every member that they may have, where those of `test/contract` leave some out. */
const WHOLE: Readonly<Record<string, object>> = {
  'accounts.conversionRules.create': { data: sample.conversionRule },
  'accounts.conversions.create': { data: sample.accountConversion },
  'accounts.conversions.list': { data: [sample.accountConversion] },
  'conversions.get': { data: sample.accountConversion },
  'accounts.deposits.create': { data: sample.expectedDeposit },
  'accounts.transfers.create': { data: sample.moneyTransfer },
  'accounts.transfers.list': { data: [sample.moneyTransfer] },
  'transfers.get': { data: sample.moneyTransfer },
  'accounts.onDemandConversions.list': { data: [sample.conversion] },
  'accounts.onchainQuotes.get': { data: sample.onchainQuote },
  'accounts.priceTriggerSwaps.get': { data: sample.priceTriggerSwap },
  'accounts.priceTriggerSwaps.list': { data: [sample.priceTriggerSwap] },
  'accounts.portfolio.history': { ...sample.historyEchoes, data: [sample.portfolioHistoryPoint] },
  'funds.withdrawalAddresses.list': { data: [sample.withdrawalAddressEntry] },
  'funds.depositAddresses.list': { data: [sample.depositAddressEntry] },
  'funds.transactions.list': { data: [sample.fundsTransaction] },
  'webhooks.create': { data: sample.registeredWebhook },
};

/** The answer without a token: no page follows. */
function lastPage(answer: unknown): unknown {
  const { next_page_token: _, ...rest } = Object(answer);
  return answer === undefined ? undefined : rest;
}

/** Each operation as its row in `test/contract` has it, with every parameter of a page. */
export const OPERATIONS: readonly OperationCase[] = ROWS.map(({ name, route, key, otp, given, answer }) => {
  const [method = '', template = ''] = route.split(' ');
  const { params = {}, query, body } = given(IDS);
  const described = operations.find((one) => one.name === name);
  const { cursor } = described ?? {};
  const pages = cursor === undefined ? {} : { page_size: 20, [cursor]: 'from here' };
  return {
    ...{ name, method: method as OperationCase['method'], template, answer: lastPage(WHOLE[name] ?? answer) },
    ids: idNames({ template }).map((id) => params[id] ?? ''),
    query: described?.query && { ...pages, ...query, ...(body === undefined && MORE[name]) },
    body: body === undefined ? undefined : { ...body, ...MORE[name] },
    ...(key && { key }),
    ...(otp && { otp }),
    ...(cursor !== undefined && { paged: true as const }),
    ...(described?.answer.kind !== 'value' && { nothing: true as const }),
    ...(!Object.hasOwn(Object(answer), 'data') && { bare: true as const }),
  };
});

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
