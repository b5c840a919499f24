import * as z from 'zod/mini';
import {
  createDepositAddress,
  type DepositAddressCreateBody,
  type DepositAddressListParams,
  type DepositMethod,
  type DepositMethodListParams,
  listDepositAddresses,
  listDepositMethods,
} from '../../../resources/funds/deposits.js';
import type { Wire } from '../../../schema/types.js';
import { DAY_MS, timestamp } from '../../core/clock/clock.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../core/kind/handler.js';
import type { OwnChoices } from '../../core/kind/kind.js';
import { type Asset, assetRef } from '../../core/market/catalogue.js';
import { NOTHING } from '../../core/money/ledger.js';
import { keep } from '../../core/mutations.js';
import { handleCreation } from '../../core/reading.js';
import type { RecordKind } from '../../core/records/records.js';
import type { AccountState, State } from '../../core/records/state.js';
import { inOrderOf, newestFirst } from '../../core/request/paging.js';
import { badRequest } from '../../core/request/refusal.js';
import { NETWORKS, type Network, type NetworkId } from '../shared/addresses/networks.js';
import { quantity } from '../shared/amounts.js';
import { assetMembers, isOfSandbox, nextSequence } from './fundings.js';
import { type Method, methodsOf } from './terms.js';

/** Number of methods per page. */
const METHOD_SIZE = 20;

export interface DepositAddressRecord {
  readonly sequence: number;
  readonly symbol: string;
  readonly asset_type: string;
  readonly method_id: string;
  readonly address: string;
  readonly tag: string | null;
  readonly memo: string | null;
  readonly expire_time: string | null;
}

/** Deposit addresses of one account, by address, oldest first. */
export const depositAddresses: RecordKind<DepositAddressRecord> = {
  name: 'depositAddresses',
  schema: () =>
    z
      .object({
        sequence: z.int(),
        ...assetMembers,
        method_id: z.string(),
        address: z.string(),
        tag: z.nullable(z.string()),
        memo: z.nullable(z.string()),
        expire_time: z.nullable(z.iso.datetime()),
      })
      .check(isOfSandbox()),
};

/** Returns the addresses that have not expired, oldest first. */
export function liveAddresses({ clock }: State, { records }: AccountState): DepositAddressRecord[] {
  return [...records.of(depositAddresses).values()].filter(
    ({ expire_time: end }) => end === null || Date.parse(end) > clock.now(),
  );
}

export const depositAddressOperations: readonly Handler[] = [
  handle<AccountParams & { asset_symbol: string }, DepositMethodListParams>(
    listDepositMethods,
    (state, { params: { asset_symbol: symbol, ...params }, query }) => {
      const account = accountOf(state, params);
      const items = state.catalogue
        .withSymbol(symbol)
        .flatMap((asset) => methodsOf(state, account, asset).map((method) => shownMethod(asset, method)))
        .sort((a, b) => (a.id < b.id ? -1 : 1));
      const listing = { scope: [listDepositMethods.name, account.id, symbol], items, ...inOrderOf(idOf) };
      return state.pager.page(listing, { page_size: METHOD_SIZE, ...query });
    },
  ),
  handleCreation<DepositAddressCreateBody>(createDepositAddress, (state, account, body) => {
    const asset = state.catalogue.named(body.asset_symbol, body.asset_type ?? 'crypto', 'asset_symbol');
    if (!asset.listing.status.deposit.enabled) {
      throw badRequest({ field: 'asset_symbol', message: `${asset.symbol} cannot be deposited at present` });
    }
    const method = methodsOf(state, account, asset).find(({ limit }) => limit.method_id === body.method_id);
    if (method === undefined) {
      throw badRequest({ field: 'method_id', message: `is not a deposit method of ${asset.symbol}` });
    }
    const { network } = method;
    if (network === undefined) throw badRequest({ field: 'method_id', message: 'is a bank transfer without address' });
    const { record, isNew } = addressFor(state, account, asset, { ...method, network });
    return { ...shownAddress(record), name: NETWORKS[network].name, is_new: isNew };
  }),
  handle<AccountParams, DepositAddressListParams>(listDepositAddresses, (state, { params, query }) => {
    const account = accountOf(state, params);
    const asset = state.catalogue.named(query.asset_symbol, query.asset_type ?? 'crypto', 'asset_symbol');
    const networks = new Map(
      methodsOf(state, account, asset).map((method) => [method.limit.method_id, nameOf(method)]),
    );
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

export const depositAddressChoices: OwnChoices = {
  [listDepositMethods.name]:
    'Returns one method for each deposit limit, and the list as `data`. `fee_percentage` is in percent, `address_setup_fee` is 0, and terms differ by network.',
  [createDepositAddress.name]:
    'Returns the existing address until it expires; Bitcoin addresses expire after 30 days. Bank transfers have no address, so the sandbox answers 400.',
  [listDepositAddresses.name]: 'Lists the addresses that have not expired, newest first.',
};

/** Returns the method's address that has not expired, or makes one. */
function addressFor(
  state: State,
  account: AccountState,
  asset: Asset,
  method: Method & { readonly network: NetworkId },
): { readonly record: DepositAddressRecord; readonly isNew: boolean } {
  const present = liveAddresses(state, account).find(
    ({ method_id, asset_type }) => method_id === method.limit.method_id && asset_type === asset.type,
  );
  if (present !== undefined) return { record: present, isNew: false };
  const network: Network = NETWORKS[method.network];
  const { clock, random } = state;
  const mark = String(random.integer(1, 4_294_967_295));
  const record: DepositAddressRecord = {
    sequence: nextSequence(state),
    symbol: asset.symbol,
    asset_type: asset.type,
    method_id: method.limit.method_id,
    address: network.form.make(random.bytes(32)),
    tag: network.mark === 'tag' ? mark : null,
    memo: network.mark === 'memo' ? mark : null,
    expire_time: method.addressDays === undefined ? null : timestamp(clock.now() + method.addressDays * DAY_MS),
  };
  keep(state, depositAddresses, account, record.address, record);
  return { record, isNew: true };
}

function shownMethod(asset: Asset, method: Method): Wire<DepositMethod> {
  const { limit, network, fee, feePercentage, minimum } = method;
  const { mark }: Partial<Network> = network === undefined ? {} : NETWORKS[network];
  return {
    id: limit.method_id,
    network: nameOf(method),
    network_info: network === undefined ? {} : { id: network, requires: mark ?? null },
    fee: quantity(asset, fee),
    fee_percentage: feePercentage,
    minimum: quantity(asset, minimum),
    maximum: limit.maximum_amount,
    address_setup_fee: quantity(asset, NOTHING),
  };
}

const idOf = ({ id }: Wire<DepositMethod>): string => id;

const nameOf = ({ network, rail }: Method): string => (network === undefined ? rail : NETWORKS[network].name);

function shownAddress({ address, tag, memo, expire_time }: DepositAddressRecord) {
  return { address, tag, memo, expire_time };
}
