import * as z from 'zod/mini';
import type { OnDemandConversion } from '../../../resources/accounts/on-demand-conversions.js';
import type { DepositLimit } from '../../../resources/funds/deposits.js';
import type { UserAccount } from '../../../resources/users/create.js';
import type { Wire } from '../../../schema/types.js';
import { text } from '../../core/basics/checked.js';
import { excerpt } from '../../core/basics/excerpt.js';
import { accountNamed, amount, amountAboveZero, assetNamed, type NamedAsset, namedAsset } from '../../core/input.js';
import { all, find } from '../../core/kind/find.js';
import type { Method } from '../../core/kind/group.js';
import type { Found, Kind } from '../../core/kind/kind.js';
import type { Asset } from '../../core/market/catalogue.js';
import type { BookName } from '../../core/money/ledger.js';
import { Money, written } from '../../core/money/money.js';
import type { AccountState, State } from '../../core/records/state.js';
import { type DepositAddressRecord, liveAddresses } from '../funds/deposit-addresses.js';
import { arriveAt, creditAtOnce, type SandboxDeposit } from '../funds/deposits.js';
import { methodsOf } from '../funds/terms.js';
import { hasRoom, limits, type WireDepositLimit } from '../limits.js';
import { type ConversionInput, conversionInput, startConversion } from '../on-demand-conversions/convert.js';
import { balancesByTicker, payIn, payOut, sumsOf } from '../shared/pay-in.js';
import { openAccount, userNamed, users } from '../users.js';

/** An additional account of a user. */
export interface AccountInput {
  /** Default `account-2` for the second account, and so on. */
  readonly name?: string | undefined;
  /**
   * First balances by ticker, for example `{ BTC: '2' }`, as decimal strings.
   *
   * @example
   * const account = sandbox.accounts.add(userId, { name: 'savings', balances: { BTC: '2' } });
   */
  readonly balances?: Readonly<Record<string, string>> | undefined;
}

export const accountInput = z.strictObject({ name: z.optional(text), balances: balancesByTicker });

/** Money that arrives from outside. */
export interface DepositInput extends NamedAsset {
  /** A decimal string above 0. */
  readonly amount: string;
  /** `method_id` of a deposit limit of the asset. Default: the first that allows the amount. */
  readonly method_id?: string | undefined;
}

/** Money that arrives at a deposit address. */
export interface AddressDepositInput {
  /** An address of the account that has not expired. */
  readonly address: string;
  /** A decimal string, at least the method's minimum. */
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

/** The balance to set: exactly one of `total` and `available`, as a decimal string. */
export interface BalanceInput extends NamedAsset {
  /** Including what open orders hold. */
  readonly total?: string | undefined;
  /** Excluding what open orders hold. */
  readonly available?: string | undefined;
}

export const balanceInput = z
  .strictObject({ ...namedAsset, total: z.optional(amount), available: z.optional(amount) })
  .check(
    z.refine(
      ({ total, available }) => (total === undefined) !== (available === undefined),
      'must have exactly one of total and available',
    ),
  );

/** A balance of an account, as its portfolio shows it. Amounts are decimal strings. */
export interface SandboxBalance {
  readonly symbol: string;
  readonly type: string;
  readonly total: string;
  readonly available: string;
  /** The part that open orders hold. */
  readonly open_orders: string;
}

/** `sandbox.accounts`: opens accounts and moves money. */
export interface SandboxAccounts {
  /**
   * Opens an additional account for a user. It has the deposit methods of a new account and no bank
   * links.
   *
   * @throws TypeError for wrong input. Error for an unknown user, and for a name that another
   * account of the user has.
   */
  add(userId: string, input?: AccountInput): Wire<UserAccount>;
  /**
   * Sets an account's balance of an asset. The difference comes from outside or goes there, and the
   * ledger shows it as a deposit or withdrawal, without events and limits. Returns the balance.
   *
   * @throws TypeError for wrong input. Error for an unknown account, and for a total below what
   * orders hold.
   */
  setBalance(accountId: string, balance: BalanceInput): SandboxBalance;
  /**
   * Removes the available balances of an account, as `setBalance` does. Returns the balances that
   * orders hold.
   *
   * @throws Error for an unknown account.
   */
  empty(accountId: string): SandboxBalance[];
  /**
   * Starts an on-demand conversion; the service does not document how partners create one. It is
   * `converting`. After 30 s, or three days if a linked bank pays, it is `settling`, and 90 s after
   * that `completed`. With `fails` it is `failed` instead of `settling`. A source balance is held
   * immediately, pays when the conversion settles, and is released if it fails. A destination
   * balance receives when the conversion completes.
   *
   * @throws TypeError for wrong input: a combination of source and destination that cannot be
   * converted, an amount that fees use up. Error for an unknown account, an unapproved wallet, a
   * bank source without an eligible linked account, an amount above the available balance.
   */
  convert(accountId: string, input: ConversionInput): Wire<OnDemandConversion>;
  /**
   * Credits money from outside immediately. Returns the deposit limit of its method, whose
   * `remaining` is reduced by the amount for the length of its period.
   *
   * @throws TypeError for wrong input and for an asset or method that accepts no deposits. Error
   * for an unknown account and for an amount beyond the limits.
   */
  deposit(accountId: string, input: DepositInput): Wire<DepositLimit>;
  /**
   * Simulates money that arrives at a deposit address of the account: `pending`, 30 s later
   * `received`, and 30 s after that `credited` without the method's fee. It counts against the
   * method's limits at once. Its `ref_id` is that of the ledger.
   *
   * @throws TypeError for wrong input. Error for an unknown account, an unknown or expired address,
   * a wrong tag or memo, an amount below the minimum or beyond the limits.
   */
  deposit(accountId: string, input: AddressDepositInput): SandboxDeposit;
  /**
   * The counterparties of the accounts since the sandbox's start, by `type:symbol`: `exchange`
   * (below 0 if it paid more than it received), `fees`, `outside` (deposits and payouts). Their sum
   * with the accounts' totals never changes.
   */
  readonly books: Readonly<Record<BookName, Readonly<Record<string, string>>>>;
}

/** An account with its name and its user. */
interface AccountRecord {
  readonly id: string;
  readonly name?: string;
  readonly external_reference?: string;
}

/** The accounts of all users. The state keeps them itself, since they contain its records. */
export const accounts: Kind<AccountRecord> = {
  name: 'accounts',
  noun: 'account',
  owner: 'account',
  schema: () => z.never(),
  resources,
  shown: (record) => record,
  offers: ['accounts.empty', 'bankLinks.add'],
  methods: {
    add: { takes: { userId: text, input: z.optional(accountInput) }, run: addAccount },
    setBalance: { takes: { accountId: text, balance: balanceInput }, run: setBalance },
    empty: { takes: { accountId: text }, run: empty },
    convert: { takes: { accountId: text, input: conversionInput }, run: startConversion },
    deposit: { takes: { accountId: text, input: depositInput }, run: deposit },
  } satisfies Record<keyof Omit<SandboxAccounts, 'books'>, Method<State>>,
  members: {
    books: ({ books: { exchange, fees, outside } }) => ({
      exchange: exchange.toJSON(),
      fees: fees.toJSON(),
      outside: outside.toJSON(),
    }),
  },
};

function resources(state: State): Found<AccountRecord>[] {
  const owners = new Map(
    all(state, users).flatMap(({ record: { user } }) =>
      user.accounts.map(({ id, name }) => [id, { name, external_reference: user.external_reference }] as const),
    ),
  );
  return Array.from(state.accounts, ([id, account]) => ({ account, id, record: { id, ...owners.get(id) } }));
}

function addAccount(state: State, userId: string, { name, balances }: AccountInput = {}): Wire<UserAccount> {
  const METHOD = 'accounts.add';
  const owner = userNamed(state, METHOD, userId);
  const sums = sumsOf(state, `${METHOD}: balances`, balances);
  const taken = owner.record.user.accounts;
  const chosen = name ?? `account-${taken.length + 1}`;
  if (taken.some((one) => one.name === chosen))
    throw new Error(`${METHOD}: the user has an account ${excerpt(chosen)} already`);
  const added = openAccount(state, owner, chosen);
  payIn(state, accountNamed(state, METHOD, added.id), sums);
  return added;
}

/** Books the difference as a deposit from outside or a withdrawal to it. */
function setBalance(state: State, accountId: string, input: BalanceInput): SandboxBalance {
  const METHOD = 'accounts.setBalance';
  const account = accountNamed(state, METHOD, accountId);
  const asset = assetNamed(state, METHOD, input);
  const [total, held] = [account.holdings.total(asset), heldOf(account, asset)];
  const { total: wanted, available } = input;
  const target = wanted === undefined ? held.plus(available ?? 0) : new Money(wanted);
  if (target.lt(held)) {
    throw new Error(`${METHOD}: orders hold ${held.toFixed()} ${asset.symbol}: the total cannot be below it`);
  }
  if (target.gt(total)) payIn(state, account, [{ asset, amount: target.minus(total) }]);
  else payOut(state, account, { asset, amount: total.minus(target) });
  return shownBalance(account, asset);
}

function empty(state: State, accountId: string): SandboxBalance[] {
  const account = accountNamed(state, 'accounts.empty', accountId);
  for (const { asset } of account.holdings.list()) {
    payOut(state, account, { asset, amount: account.holdings.available(asset) });
  }
  const left = account.holdings.list().filter(({ total }) => !total.isZero());
  return left.map(({ asset }) => shownBalance(account, asset));
}

const heldOf = ({ holdings }: AccountState, asset: Asset) => holdings.total(asset).minus(holdings.available(asset));

function shownBalance(account: AccountState, asset: Asset): SandboxBalance {
  const { symbol, type, places } = asset;
  return {
    symbol,
    type,
    total: written(account.holdings.total(asset), places),
    available: written(account.holdings.available(asset), places),
    open_orders: written(heldOf(account, asset), places),
  };
}
