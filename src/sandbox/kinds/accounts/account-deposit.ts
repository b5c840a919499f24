import * as z from 'zod/mini';
import { text } from '../../core/basics/checked.js';
import { excerpt } from '../../core/basics/excerpt.js';
import { accountNamed, amountAboveZero, assetNamed, type NamedAsset } from '../../core/input.js';
import { find } from '../../core/kind/find.js';
import { Money } from '../../core/money/money.js';
import type { AccountState, State } from '../../core/records/state.js';
import { type DepositAddressRecord, liveAddresses } from '../funds/deposit-addresses.js';
import { arriveAt, creditAtOnce, type SandboxDeposit } from '../funds/deposits.js';
import { methodsOf } from '../funds/terms.js';
import { hasRoom, limits, type WireDepositLimit } from '../limits.js';

/** Money that arrives from outside. */
export interface DepositInput extends NamedAsset {
  /** Decimal text above 0. */
  readonly amount: string;
  /**
   * `method_id` of one of the asset's deposit limits. Default: the first whose limits allow the
   * amount.
   */
  readonly method_id?: string | undefined;
}

/** Money that arrives at a deposit address. */
export interface AddressDepositInput {
  /** An address of the account that has not expired. */
  readonly address: string;
  /** Decimal text, at least the method's minimum. */
  readonly amount: string;
  /** Required if the address has one. */
  readonly tag?: string | undefined;
  /** Required if the address has one. */
  readonly memo?: string | undefined;
}

const optional = z.optional(text);

/** Either form of a deposit. */
export const depositInput = z
  .strictObject({
    amount: amountAboveZero,
    symbol: optional,
    asset_type: optional,
    method_id: optional,
    address: optional,
    tag: optional,
    memo: optional,
  })
  .check(
    z.refine(
      ({ symbol, asset_type, method_id, address, tag, memo }) =>
        symbol === undefined
          ? address !== undefined && (asset_type ?? method_id) === undefined
          : (address ?? tag ?? memo) === undefined,
      'must have symbol (and asset_type, method_id) or address (and tag, memo), not both',
    ),
  );

const METHOD = 'accounts.deposit';

export function deposit(state: State, accountId: string, input: DepositInput | AddressDepositInput): unknown {
  const account = accountNamed(state, METHOD, accountId);
  return isToAddress(input) ? depositToAddress(state, account, input) : depositAtOnce(state, account, input);
}

const isToAddress = (input: DepositInput | AddressDepositInput): input is AddressDepositInput =>
  'address' in input && input.address !== undefined;

/** Credits a deposit at once and counts it against the limits of its method. */
function depositAtOnce(state: State, account: AccountState, input: DepositInput): WireDepositLimit {
  const asset = assetNamed(state, METHOD, input);
  const amount = new Money(input.amount);
  const candidates = methodsOf(state, account, asset).filter(
    ({ limit }) => input.method_id === undefined || limit.method_id === input.method_id,
  );
  if (candidates.length === 0) throw new TypeError(`${METHOD}: ${asset.symbol} has no such deposit method`);
  const method = candidates.find(({ limit }) => hasRoom(limit, amount));
  if (method === undefined) throw aboveLimits();
  creditAtOnce(state, account, { asset, amount: input.amount, method });
  return find(state, limits, method.limit.method_id, account.id)?.record ?? method.limit;
}

/** Starts a deposit to an address. The clock credits it later. */
function depositToAddress(state: State, account: AccountState, input: AddressDepositInput): SandboxDeposit {
  const record = addressed(state, account, input);
  const amount = new Money(input.amount);
  const asset = state.catalogue.get(record.symbol, record.asset_type);
  const method = methodsOf(state, account, asset).find(({ limit }) => limit.method_id === record.method_id);
  if (method === undefined) throw new Error(`${METHOD}: the deposit method of the address is gone`);
  if (amount.lt(method.minimum)) {
    throw new Error(`${METHOD}: the minimum of the deposit method is ${method.minimum.toFixed()} ${asset.symbol}`);
  }
  if (!hasRoom(method.limit, amount)) throw aboveLimits();
  return arriveAt(state, account, { asset, amount: input.amount, method }, record.address);
}

function addressed(
  state: State,
  account: AccountState,
  { address, tag, memo }: AddressDepositInput,
): DepositAddressRecord {
  const record = liveAddresses(state, account).find((one) => one.address === address);
  if (record === undefined) throw new Error(`${METHOD}: the account has no deposit address ${excerpt(address)}`);
  for (const [name, wanted, given] of [['tag', record.tag, tag] as const, ['memo', record.memo, memo] as const]) {
    if ((given ?? null) !== wanted) throw new Error(`${METHOD}: the ${name} must be ${wanted ?? 'left out'}`);
  }
  return record;
}

const aboveLimits = (): Error => new Error(`${METHOD}: the amount is above the limits of the deposit method`);
