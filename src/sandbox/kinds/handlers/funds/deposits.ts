import {
  createDepositAddress,
  type DepositAddressCreateBody,
  type DepositAddressListParams,
  listDepositAddresses,
} from '../../../../resources/funds/deposit-addresses.js';
import {
  type DepositMethod,
  type DepositMethodListParams,
  listDepositMethods,
} from '../../../../resources/funds/deposit-methods.js';
import type { Decimal } from '../../../../schema/decimal.js';
import type { Wire } from '../../../../schema/types.js';
import { type Asset, assetRef } from '../../../core/market/catalogue.js';
import { NOTHING } from '../../../core/money/ledger.js';
import { written } from '../../../core/money/money.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../../core/request/handler.js';
import { newestFirst } from '../../../core/request/paging.js';
import { badRequest } from '../../../core/request/refusal.js';
import { addressFor, liveAddresses } from '../../lifecycles/funds/deposits.js';
import type { DepositAddressRecord } from '../../lifecycles/funds/records.js';
import { type Method, methodsOf } from '../../lifecycles/funds/terms.js';
import { NETWORKS, type Network } from '../../shared/addresses/networks.js';

const METHOD_SIZE = 20;

export const depositHandlers: readonly Handler[] = [
  handle<AccountParams & { asset_symbol: string }, DepositMethodListParams>(
    listDepositMethods,
    (state, { params: { asset_symbol: symbol, ...params }, query }) => {
      const account = accountOf(state, params);
      const assets = state.catalogue.assets.filter((asset) => asset.symbol === symbol);
      if (assets.length === 0)
        throw badRequest({ field: 'asset_symbol', message: 'is not a symbol of the assets API' });
      const items = assets.flatMap((asset) => methodsOf(account, asset).map((method) => shownMethod(asset, method)));
      return state.pager.page(
        {
          scope: [listDepositMethods.name, account.id, symbol],
          items: items.sort((a, b) => (a.id < b.id ? -1 : 1)),
          position: ({ id }) => id,
          isAfter: ({ id }, position) => id > position,
        },
        { page_size: METHOD_SIZE, ...query },
      );
    },
  ),
  handle<AccountParams, unknown, DepositAddressCreateBody>(createDepositAddress, (state, { params, body }) => {
    const account = accountOf(state, params);
    const asset = state.catalogue.named(body.asset_symbol, body.asset_type ?? 'crypto', 'asset_symbol');
    if (!asset.listing.status.deposit.enabled) {
      throw badRequest({ field: 'asset_symbol', message: `${asset.symbol} cannot be deposited at present` });
    }
    const method = methodsOf(account, asset).find(({ limit }) => limit.method_id === body.method_id);
    if (method === undefined) {
      throw badRequest({ field: 'method_id', message: `is not a deposit method of ${asset.symbol}` });
    }
    const { network } = method;
    if (network === undefined) throw badRequest({ field: 'method_id', message: 'is a bank transfer without address' });
    const { record, isNew } = addressFor(state, account, asset, { ...method, network });
    return { data: { ...shownAddress(record), name: NETWORKS[network].name, is_new: isNew } };
  }),
  handle<AccountParams, DepositAddressListParams>(listDepositAddresses, (state, { params, query }) => {
    const account = accountOf(state, params);
    const asset = state.catalogue.named(query.asset_symbol, query.asset_type ?? 'crypto', 'asset_symbol');
    const networks = new Map(methodsOf(account, asset).map((method) => [method.limit.method_id, nameOf(method)]));
    const items = liveAddresses(state, account)
      .filter(({ symbol, asset_type }) => symbol === asset.symbol && asset_type === asset.type)
      .reverse();
    const scope = [listDepositAddresses.name, account.id, asset.symbol, asset.type];
    const page = state.pager.page({ scope, items, ...newestFirst }, query);
    const shown = page.data.map((record) => ({
      asset: assetRef(asset),
      method: { id: record.method_id, name: networks.get(record.method_id) },
      ...shownAddress(record),
    }));
    return { ...page, data: shown };
  }),
];

function shownMethod(asset: Asset, method: Method): Wire<DepositMethod> {
  const { limit, network, fee, feePercentage, minimum } = method;
  const quantity = (value: Decimal) => ({ ...assetRef(asset), amount: written(value, asset.places) });
  const { mark }: Partial<Network> = network === undefined ? {} : NETWORKS[network];
  return {
    id: limit.method_id,
    network: nameOf(method),
    network_info: network === undefined ? {} : { id: network, requires: mark ?? null },
    fee: quantity(fee),
    fee_percentage: feePercentage,
    minimum: quantity(minimum),
    maximum: limit.maximum_amount,
    address_setup_fee: quantity(NOTHING),
  };
}

const nameOf = ({ network, rail }: Method): string => (network === undefined ? rail : NETWORKS[network].name);

const shownAddress = ({ address, tag, memo, expire_time }: DepositAddressRecord) => ({
  address,
  tag,
  memo,
  expire_time,
});
