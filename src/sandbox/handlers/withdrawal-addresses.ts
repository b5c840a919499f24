import {
  saveWithdrawalAddress,
  updateWithdrawalAddress,
  type WithdrawalAddressSaveBody,
  type WithdrawalAddressUpdateBody,
} from '../../resources/funds/withdrawal-addresses.js';
import { wrongForAsset } from '../addresses/check-address.js';
import { badRequest, conflict, notFound } from '../refusal.js';
import type { State } from '../state/state.js';
import { type AccountParams, accountOf, type Handler, handle } from './handler.js';

interface KeyParams extends AccountParams {
  readonly key: string;
}

export const withdrawalAddressHandlers: readonly Handler[] = [
  handle<AccountParams, unknown, WithdrawalAddressSaveBody>(saveWithdrawalAddress, (state, { params, body }) => {
    const { withdrawalAddresses } = accountOf(state, params);
    checkDestination(state, body);
    checkKey(body.key, 'key');
    if (withdrawalAddresses.has(body.key)) throw conflict('key', 'is used for another address');
    const tag = body.tag ?? null;
    withdrawalAddresses.set(body.key, { address: body.address, tag });
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
];

function checkDestination(state: State, body: WithdrawalAddressSaveBody): void {
  const asset = state.catalogue.named(body.asset_symbol, body.asset_type ?? 'crypto', 'asset_symbol');
  if (!state.withdrawalMethods.has(body.method_id)) {
    throw badRequest({ field: 'method_id', message: 'is not a withdrawal method' });
  }
  const causes = wrongForAsset(asset, body);
  if (causes.length > 0) throw badRequest(...causes);
}

/** A path cannot contain an empty name. */
function checkKey(key: string, field: string): void {
  if (key === '') throw badRequest({ field, message: 'must not be empty' });
}
