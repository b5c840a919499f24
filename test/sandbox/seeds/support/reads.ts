import { operations } from '../../../../src/resources/operations.js';
import type { DirectPartner } from '../../support/direct-partner.js';
import { requestOf } from '../../support/partner.js';
import { ask, type Body, textsOf } from './asking.js';
import type { Parts } from './parts.js';

/** The operations that change nothing. */
export const readNames = operations.filter(({ method }) => method === 'GET').map(({ name }) => name);

const cursors = new Map(operations.map(({ name, cursor }) => [name, cursor]));

/** Ids that the reads of single resources need. */
export type Ids = Readonly<Record<'onchainQuotes' | 'priceTriggerSwaps' | 'quotes' | 'transfers', readonly string[]>>;

export const NO_IDS: Ids = { onchainQuotes: [], priceTriggerSwaps: [], quotes: [], transfers: [] };

/**
 * Adds the answers of every GET operation. A part is an operation at a moment.
 *
 * @param isWhole Asks for all paths, and for all pages of lists. Else the first path and page of an
 * operation, and each single resource.
 */
export async function askAllReads(
  partner: DirectPartner,
  parts: Parts,
  moment: string,
  ids: Ids,
  isWhole: boolean,
): Promise<void> {
  const lists = new Map<string, Body[]>();
  for (const [name, paths] of Object.entries(readsOf(partner, ids, lists))) {
    const bodies: Body[] = [];
    for (const path of typeof paths === 'function' ? paths() : paths.slice(0, isWhole ? undefined : 1)) {
      bodies.push(
        ...(await askPages(partner, parts, `${name} ${moment}`, path, isWhole ? cursors.get(name) : undefined)),
      );
    }
    lists.set(name, bodies);
  }
}

async function askPages(
  partner: DirectPartner,
  parts: Parts,
  part: string,
  path: string,
  cursor: string | undefined,
): Promise<Body[]> {
  const bodies = [await ask(partner, parts, part, requestOf(`GET ${path}`))];
  for (;;) {
    const token = bodies.at(-1)?.next_page_token;
    if (cursor === undefined || token === undefined || token === null) return bodies;
    const next = `${path}${path.includes('?') ? '&' : '?'}${cursor}=${encodeURIComponent(token)}`;
    bodies.push(await ask(partner, parts, part, requestOf(`GET ${next}`)));
  }
}

/** A list of hundreds is read at its ends and in between. */
const EACH_NTH = 40;

type Paths = readonly string[] | (() => readonly string[]);

/** Paths by operation. A function names single resources, when the lists before it are answered. */
function readsOf({ sandbox, account }: DirectPartner, ids: Ids, lists: ReadonlyMap<string, Body[]>) {
  const { fixtures } = sandbox;
  const users = [fixtures.userId, fixtures.spacedUserId].map((id) => `/v1/users/${encodeURIComponent(id)}`);
  const accounts = [account, `/v1/accounts/${fixtures.secondaryAccountId}`];
  const both = (path: string): string[] => accounts.map((one) => one + path);
  const idsOf = (list: string): string[] => (lists.get(list) ?? []).flatMap((body) => textsOf(body, 'id'));
  const someOf = (all: readonly string[]): string[] =>
    all.filter((_, place) => place % EACH_NTH === 0 || place === all.length - 1);
  return {
    'users.get': [...users, '/v1/users/AUNOBODY-NOBOD-NOBODY'],
    'users.verifications.list': users.map((user) => `${user}/verifications`),
    'users.assets.list': [`${users[0]}/assets?type=crypto&sort=price&withdraw=true&page_size=100`],
    'assets.list': [
      '/v1/assets?page_size=100',
      '/v1/assets?type=fiat&type=stablecoin&quote_symbol=EUR&quote_type=fiat',
      '/v1/assets?type=crypto&sort=volume.last_24h&sort_direction=desc&swap_trading=true',
    ],
    'assets.get': [
      '/v1/assets/crypto/BTC?quote_symbol=EUR&quote_type=fiat',
      '/v1/assets/crypto/ETH',
      '/v1/assets/fiat/GBP',
      '/v1/assets/crypto/NOTHING',
    ],
    'assets.rates.list': [
      '/v1/assets/crypto/BTC/rates?interval=P1D&page_size=100',
      '/v1/assets/crypto/ETH/rates?interval=PT1H&quote_symbol=EUR&quote_type=fiat',
    ],
    'swap.assets.list': ['/v1/swap/assets'],
    'accounts.conversions.list': [
      `${account}/conversions?page_size=100`,
      `${account}/conversions?status=failed`,
      `${accounts[1]}/conversions`,
    ],
    'accounts.onDemandConversions.list': [
      `${account}/on-demand-conversions?page_size=25`,
      ...both('/on-demand-conversions').slice(1),
    ],
    'conversions.get': () =>
      [fixtures.conversionId, ...someOf(idsOf('accounts.conversions.list'))].map((id) => `/v1/conversions/${id}`),
    'accounts.transfers.list': both('/transfers'),
    'transfers.get': () =>
      [...ids.transfers, ...someOf(idsOf('accounts.transfers.list')), 'none'].map((id) => `/v1/transfers/${id}`),
    'accounts.quotes.get': () => [fixtures.quoteId, ...ids.quotes].map((id) => `${account}/quotes/${id}`),
    'accounts.priceTriggerSwaps.list': both(
      '/price-trigger-swaps?statuses=active&statuses=completed&statuses=cancelled',
    ),
    'accounts.priceTriggerSwaps.get': () =>
      [...ids.priceTriggerSwaps, 'none'].map((id) => `${account}/price-trigger-swaps/${id}`),
    'accounts.onchainQuotes.list': both('/onchain-quotes'),
    'accounts.onchainQuotes.get': () => [...ids.onchainQuotes, 'none'].map((id) => `${account}/onchain-quotes/${id}`),
    'accounts.portfolio.details': [
      ...both('/portfolio/details'),
      `${account}/portfolio/details?quote_symbol=EUR&quote_type=fiat`,
    ],
    'accounts.portfolio.summary': [
      ...both('/portfolio/summary'),
      `/v1/accounts/${fixtures.foreignAccountId}/portfolio/summary`,
    ],
    'accounts.portfolio.transactions.list': [
      `${account}/portfolio/transactions?page_size=25`,
      `${account}/portfolio/transactions?types=simple_order&assets[0][symbol]=BTC&assets[0][type]=crypto`,
    ],
    'accounts.portfolio.history': [
      `${account}/portfolio/history`,
      `${account}/portfolio/history?assets[0][symbol]=BTC`,
    ],
    'accounts.earn.auto.get': both('/earn/auto'),
    'accounts.earn.auto.assets.list': [`${account}/earn/auto/assets`],
    'accounts.earn.auto.allocations.list': both('/earn/auto/allocations'),
    'accounts.earn.auto.rewards.list': both('/earn/auto/rewards'),
    'funds.withdrawalAddresses.list': [
      ...both('/funds/withdrawals/addresses'),
      `${account}/funds/withdrawals/addresses?asset_symbol=BTC`,
    ],
    'funds.withdrawalMethods.list': [`${account}/funds/withdrawals/methods/BTC`],
    'funds.bankLinks.get': [fixtures.bankLinkId, fixtures.unlinkedBankLinkId].map(
      (id) => `${account}/funds/bank-links/${id}`,
    ),
    'funds.depositLimits.list': ['BTC', 'XRP'].map((symbol) => `${account}/funds/deposits/limits/${symbol}`),
    'funds.depositMethods.list': ['BTC', 'XRP'].map((symbol) => `${account}/funds/deposits/methods/${symbol}`),
    'funds.depositAddresses.list': ['BTC', 'XRP'].map(
      (symbol) => `${account}/funds/deposits/addresses?asset_symbol=${symbol}`,
    ),
    'funds.transactions.list': [
      '/v1/funds/transactions?type=withdrawal',
      '/v1/funds/transactions?type=deposit&page_size=500',
    ],
    'earn.auto.assets.list': ['DE', 'US'].map((country) => `/v1/earn/auto/assets?country=${country}`),
    'ramp.countries.list': ['/v1/ramp/countries?page_size=200', '/v1/ramp/countries'],
    'ramp.fiatCurrencies.list': ['/v1/ramp/fiat-currencies'],
    'ramp.paymentMethods.list': ['/v1/ramp/payment-methods'],
    'ramp.assets.list': ['/v1/ramp/buy/crypto?country=DE'],
    'ramp.limits.get': ['/v1/ramp/limits?in_asset_symbol=EUR&out_asset_symbol=BTC'],
    'ramp.checkout.get': ['/v1/ramp/checkout?in_asset_symbol=EUR&out_asset_symbol=BTC&in_amount=100'],
    'rampQuotes.prospective': ['USD', 'EUR'].map(
      (symbol) =>
        `/v1/ramp/quotes/prospective?from_symbol=${symbol}&to_symbol=BTC&from_amount=250.5&affiliate_fee_bps=100`,
    ),
    'reports.settlement.list': ['/v1/reports/settlement?page_size=100', '/v1/reports/settlement?report_type=swaps'],
    'reports.settlement.get': () =>
      someOf(idsOf('reports.settlement.list')).map((id) => `/v1/reports/settlement/${id}`),
    'webhooks.list': ['/v1/webhooks', '/v1/webhooks?page_size=25'],
  } satisfies Record<string, Paths>;
}

/** The operations that are asked for. */
export const askedNames = (partner: DirectPartner): string[] => Object.keys(readsOf(partner, NO_IDS, new Map()));
