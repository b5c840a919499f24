import * as z from 'zod/mini';
import {
  deleteWithdrawalAddress,
  listWithdrawalAddresses,
  saveWithdrawalAddress,
  updateWithdrawalAddress,
  validateWithdrawalAddress,
  type WithdrawalAddressEntry,
  type WithdrawalAddressListParams,
  type WithdrawalAddressSaveBody,
  type WithdrawalAddressUpdateBody,
  type WithdrawalAddressValidateBody,
} from '../../../resources/funds/addresses.js';
import {
  listWithdrawalMethods,
  type WithdrawalMethod,
  type WithdrawalMethodListParams,
} from '../../../resources/funds/withdrawals.js';
import type { Decimal } from '../../../schema/decimal.js';
import type { Wire } from '../../../schema/types.js';
import type { Random } from '../../core/basics/random.js';
import { DAY_MS, timestamp } from '../../core/clock/clock.js';
import { all, recordsOf } from '../../core/kind/find.js';
import { type AccountParams, accountOf, handle } from '../../core/kind/handler.js';
import type { Found, Kind, Moves } from '../../core/kind/kind.js';
import { NO_STATE } from '../../core/kind/states.js';
import { type Asset, assetKey, assetRef } from '../../core/market/catalogue.js';
import { Money } from '../../core/money/money.js';
import { put, remove } from '../../core/mutations.js';
import { handleCreation, handleNamed, named } from '../../core/reading.js';
import { knownAsset, moment } from '../../core/records/saved-values.js';
import type { AccountState, State } from '../../core/records/state.js';
import { newestFirst } from '../../core/request/paging.js';
import { badRequest, conflict } from '../../core/request/refusal.js';
import { wrongForAsset } from '../shared/addresses/check-address.js';
import { walletAddress } from '../shared/addresses/generate.js';
import { NETWORKS, networksOf } from '../shared/addresses/networks.js';
import { quantity } from '../shared/amounts.js';
import { nextSequence } from './fundings.js';
import { withdrawalTerms } from './terms.js';

const ADDRESS_AGE_DAYS = 40;

interface SavedAddress extends Omit<SandboxWithdrawalAddress, 'account'> {
  /** Position in the list: a newer address has a higher one. Those of the seed are below 0. */
  readonly sequence: number;
  readonly asset: string;
  /** Id of the withdrawal method. */
  readonly method: string;
  readonly created_at: string;
}

/** A saved withdrawal address with its account. */
export interface SandboxWithdrawalAddress {
  readonly account: string;
  /** The name under which it was saved. */
  readonly key: string;
  readonly address: string;
  readonly tag: string | null;
  readonly memo: string | null;
  /** For example `crypto:BTC`. Absent for an address of an early snapshot. */
  readonly asset?: string | undefined;
}

/** `sandbox.withdrawalAddresses`: lists and removes destinations of withdrawals. */
export interface SandboxWithdrawalAddresses {
  /** Returns each account's newest 10,000 withdrawal addresses, account by account. */
  list(): SandboxWithdrawalAddress[];
  /**
   * Removes a saved address, as `funds.withdrawalAddresses.delete` does: new withdrawals to it get
   * 404. Withdrawals in progress continue.
   */
  remove(accountId: string, key: string): void;
}

/** The addresses to which an account may withdraw, by their saved names. */
export const withdrawalAddresses: Kind<SavedAddress> = {
  name: 'withdrawalAddresses',
  noun: 'withdrawal address',
  owner: 'account',
  isNamedByAccount: true,
  scope: 'funds',
  schema: () =>
    z.object({
      key: z.string(),
      address: z.string(),
      tag: z.nullable(z.string()),
      sequence: z.int(),
      memo: z.nullable(z.string()),
      asset: knownAsset,
      method: z.string(),
      created_at: moment,
    }),
  shown: (saved) => saved,
  idName: 'key',
  moves: {
    remove: { from: [NO_STATE], run: (state, found) => remove(state, withdrawalAddresses, found) },
  } satisfies Moves<'remove', SavedAddress>,
  methods: {
    list: { run: (state): SandboxWithdrawalAddress[] => all(state, withdrawalAddresses).map(listed) },
  },
  operations: [
    handleCreation<WithdrawalAddressSaveBody>(saveWithdrawalAddress, (state, account, body) => {
      const asset = checkedAsset(state, body);
      const causes = wrongForAsset(asset, body);
      if (causes.length > 0) throw badRequest(...causes);
      const { key, address, tag = null, memo = null, method_id: method } = body;
      checkKey(key, 'key');
      if (isUsed(state, account, key)) throw conflict('key', 'is taken: an address with this name is saved');
      const record: SavedAddress = {
        key,
        address,
        tag,
        sequence: nextSequence(state),
        memo,
        asset: assetKey(asset),
        method,
        created_at: timestamp(state.clock.now()),
      };
      put(state, withdrawalAddresses, { account, id: key, record });
      return { key, tag };
    }),
    handle<unknown, unknown, WithdrawalAddressValidateBody>(validateWithdrawalAddress, (state, { body }) => ({
      data: { valid: wrongForAsset(checkedAsset(state, body), body).length === 0 },
    })),
    handle<Record<'account_id' | 'key', string>, unknown, WithdrawalAddressUpdateBody>(
      updateWithdrawalAddress,
      (state, { params, body }) => {
        const account = accountOf(state, params);
        const { new_key: key } = body;
        checkKey(key, 'new_key');
        const found = named(state, withdrawalAddresses, updateWithdrawalAddress, params);
        if (isUsed(state, account, key)) throw conflict('new_key', 'is used for an address');
        remove(state, withdrawalAddresses, found);
        put(state, withdrawalAddresses, { account, id: key, record: { ...found.record, key } });
        return { data: { key } };
      },
    ),
    handleNamed(
      deleteWithdrawalAddress,
      () => withdrawalAddresses,
      (state, found) => {
        remove(state, withdrawalAddresses, found);
        return { data: { key: found.id } };
      },
    ),
    handle<AccountParams & { asset_symbol: string }, Wire<WithdrawalMethodListParams>>(
      listWithdrawalMethods,
      (state, { params, query }) => {
        const account = accountOf(state, params);
        const items = state.catalogue.withSymbol(params.asset_symbol).flatMap((asset) => methodsOf(state, asset));
        const scope = [listWithdrawalMethods.name, account.id, params.asset_symbol];
        const position = (item: Wire<WithdrawalMethod>) => String(items.indexOf(item) + 1);
        return state.pager.page({ scope, position, next: (from) => items.slice(Number(from ?? 0)) }, query);
      },
    ),
    handle<AccountParams, WithdrawalAddressListParams>(listWithdrawalAddresses, (state, { params, query }) => {
      const account = accountOf(state, params);
      const { asset_symbol: symbol } = query;
      const items = [...recordsOf(state, withdrawalAddresses, account).values()]
        .filter(({ asset }) => symbol === undefined || asset.endsWith(`:${symbol}`))
        .sort((a, b) => b.sequence - a.sequence);
      const scope = [listWithdrawalAddresses.name, account.id, symbol];
      const page = state.pager.page({ scope, items, ...newestFirst }, query);
      return { ...page, data: page.data.map((saved) => entryOf(state, saved)) };
    }),
  ],
  choices: {
    [saveWithdrawalAddress.name]:
      'Answers 400 to an address on XRP, XLM, EOS or Cosmos that has neither `memo` nor `tag`.',
    [validateWithdrawalAddress.name]:
      'Returns `valid: false` where `save` answers 400 because of the address or a missing memo. It answers 400 to an unknown asset or method.',
    [updateWithdrawalAddress.name]: 'Answers 409 if the new name is the current one.',
    [deleteWithdrawalAddress.name]: 'Returns the `key`. Withdrawals that are already in progress continue.',
    [listWithdrawalAddresses.name]: 'Lists the newest address first. `asset_symbol` matches assets of every class.',
    [listWithdrawalMethods.name]:
      'Returns three methods for each asset, on its first network, with the fee and limits that `funds.withdrawals.create` applies. `fee`, `minimum` and `maximum` are each an asset with its `amount`. For 10 minutes, a withdrawal with the `fee_token` costs the `fee` that was returned with it, even if the price has changed.',
  },
};

const isUsed = (state: State, account: AccountState, key: string): boolean =>
  recordsOf(state, withdrawalAddresses, account).has(key);

const listed = ({ account, record: { key, address, tag, memo, asset } }: Found<SavedAddress>) => {
  return { account: account.id, key, address, tag, memo, asset };
};

function entryOf({ catalogue, payoutMethods }: State, saved: SavedAddress): Wire<WithdrawalAddressEntry> {
  const { key, address, asset, method, tag, memo, created_at } = saved;
  return {
    key,
    asset: assetRef(catalogue.keyed(asset)),
    method: { id: method, name: payoutMethods.get(method) },
    address,
    memo,
    tag,
    created_at,
  };
}

/** Returns the asset of a destination. Throws 400 if the asset or the method is unknown. */
function checkedAsset(state: State, body: WithdrawalAddressValidateBody): Asset {
  const asset = state.catalogue.named(body.asset_symbol, body.asset_type ?? 'crypto', 'asset_symbol');
  if (!state.payoutMethods.has(body.method_id)) {
    throw badRequest({ field: 'method_id', message: 'is not a withdrawal method' });
  }
  return asset;
}

/** A path cannot contain an empty name. */
function checkKey(key: string, field: string): void {
  if (key === '') throw badRequest({ field, message: 'must not be empty' });
}

export function seedWithdrawalAddresses(random: Random, now: number, method: string): SavedAddress[] {
  const [btc, xrp] = [walletAddress('bitcoin', random), walletAddress('xrp', random)];
  const common = { method, created_at: timestamp(now - ADDRESS_AGE_DAYS * DAY_MS) };
  return [
    { key: 'cold-storage', address: btc, tag: null, sequence: -2, memo: null, asset: 'crypto:BTC', ...common },
    { key: 'treasury xrp', address: xrp, tag: '104729', sequence: -1, memo: null, asset: 'crypto:XRP', ...common },
  ];
}

/** Duration in ms for which a `fee_token` holds the fee of a withdrawal. */
const FEE_HOLD_MS = 600_000;

function methodsOf(state: State, asset: Asset): Wire<WithdrawalMethod>[] {
  const [network] = networksOf(asset);
  const { fee, minimum, maximum } = withdrawalTerms(asset);
  return Array.from(state.payoutMethods.keys(), (method_id) => ({
    method_id,
    network: network === undefined ? 'Bank transfer' : NETWORKS[network].name,
    fee: quantity(asset, fee),
    fee_token: feeToken(state, asset, fee),
    minimum: quantity(asset, minimum),
    maximum: quantity(asset, maximum),
  }));
}

function feeToken({ clock }: State, asset: Asset, fee: Decimal): string {
  return Buffer.from(`${assetKey(asset)} ${fee.toFixed()} ${clock.now() + FEE_HOLD_MS}`).toString('base64url');
}

/** Returns the fee that a token holds. Undefined after ten minutes, and for any other text. */
export function heldFee({ clock }: State, asset: Asset, token: string): Decimal | undefined {
  const [of, fee = '', until] = Buffer.from(token, 'base64url').toString().split(' ');
  return of === assetKey(asset) && Number(until) > clock.now() ? new Money(fee) : undefined;
}
