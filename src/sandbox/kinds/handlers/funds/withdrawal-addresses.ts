import {
  listWithdrawalAddresses,
  saveWithdrawalAddress,
  updateWithdrawalAddress,
  type WithdrawalAddressEntry,
  type WithdrawalAddressListParams,
  type WithdrawalAddressSaveBody,
  type WithdrawalAddressUpdateBody,
} from '../../../../resources/funds/withdrawal-addresses.js';
import type { Wire } from '../../../../schema/types.js';
import { timestamp } from '../../../core/clock/clock.js';
import { type Asset, assetKey, assetRef } from '../../../core/market/catalogue.js';
import type { SavedAddress, State } from '../../../core/records/state.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../../core/request/handler.js';
import { newestFirst } from '../../../core/request/paging.js';
import { badRequest, conflict, notFound } from '../../../core/request/refusal.js';
import { nextSequence } from '../../lifecycles/funds/records.js';
import { wrongForAsset } from '../../shared/addresses/check-address.js';

interface KeyParams extends AccountParams {
  readonly key: string;
}

export const withdrawalAddressHandlers: readonly Handler[] = [
  handle<AccountParams, unknown, WithdrawalAddressSaveBody>(saveWithdrawalAddress, (state, { params, body }) => {
    const { withdrawalAddresses } = accountOf(state, params);
    const asset = checkedDestination(state, body);
    checkKey(body.key, 'key');
    if (withdrawalAddresses.has(body.key)) throw conflict('key', 'is used for another address');
    const tag = body.tag ?? null;
    withdrawalAddresses.set(body.key, {
      ...{ address: body.address, tag, sequence: nextSequence(state), memo: body.memo ?? null },
      ...{ asset: assetKey(asset), method: body.method_id, created_at: timestamp(state.clock.now()) },
    });
    return { data: { key: body.key, tag } };
  }),
  handle<KeyParams, unknown, WithdrawalAddressUpdateBody>(updateWithdrawalAddress, (state, { params, body }) => {
    const { withdrawalAddresses } = accountOf(state, params);
    checkKey(body.new_key, 'new_key');
    const saved = withdrawalAddresses.get(params.key);
    if (saved === undefined) throw notFound(updateWithdrawalAddress);
    if (withdrawalAddresses.has(body.new_key)) throw conflict('new_key', 'is used for an address');
    withdrawalAddresses.delete(params.key);
    withdrawalAddresses.set(body.new_key, saved);
    return { data: { key: body.new_key } };
  }),
  handle<AccountParams, WithdrawalAddressListParams>(listWithdrawalAddresses, (state, { params, query }) => {
    const { id, withdrawalAddresses } = accountOf(state, params);
    const { asset_symbol: symbol } = query;
    const items = [...withdrawalAddresses.entries()]
      .map(([key, saved]) => ({ key, saved, sequence: saved.sequence }))
      .filter(({ saved }) => symbol === undefined || saved.asset.endsWith(`:${symbol}`))
      .sort((a, b) => b.sequence - a.sequence);
    const page = state.pager.page({ scope: [listWithdrawalAddresses.name, id, symbol], items, ...newestFirst }, query);
    return { ...page, data: page.data.map(({ key, saved }) => shown(state, key, saved)) };
  }),
];

function shown(
  { catalogue, withdrawalMethods }: State,
  key: string,
  saved: SavedAddress,
): Wire<WithdrawalAddressEntry> {
  const { address, asset, method, tag, memo, created_at } = saved;
  return {
    key,
    asset: assetRef(catalogue.keyed(asset)),
    method: { id: method, name: withdrawalMethods.get(method) },
    ...{ address, memo, tag, created_at },
  };
}

function checkedDestination(state: State, body: WithdrawalAddressSaveBody): Asset {
  const asset = state.catalogue.named(body.asset_symbol, body.asset_type ?? 'crypto', 'asset_symbol');
  if (!state.withdrawalMethods.has(body.method_id)) {
    throw badRequest({ field: 'method_id', message: 'is not a withdrawal method' });
  }
  const causes = wrongForAsset(asset, body);
  if (causes.length > 0) throw badRequest(...causes);
  return asset;
}

/** A path cannot contain an empty name. */
function checkKey(key: string, field: string): void {
  if (key === '') throw badRequest({ field, message: 'must not be empty' });
}
