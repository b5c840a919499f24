import * as z from 'zod/mini';
import type { OnDemandConversion } from '../../../../resources/accounts/on-demand-conversions.js';
import type { DepositLimit } from '../../../../resources/funds/deposit-limits.js';
import type { UserAccount } from '../../../../resources/users/create.js';
import type { Wire } from '../../../../schema/types.js';
import { isRecord } from '../../../../util/options.js';
import { accountNamed, betweenTasks, checked, text, userNamed } from '../../../core/input.js';
import type { BookName } from '../../../core/money/ledger.js';
import type { State } from '../../../core/records/state.js';
import { type AddressDepositInput, type DepositInput, deposit, depositToAddress } from '../../funds/account-deposit.js';
import type { SandboxDeposit } from '../../funds/deposits.js';
import { openAccount } from '../../lifecycles/users.js';
import { type ConversionInput, startConversion } from '../money/convert.js';
import { type BalanceInput, emptyAccount, type SandboxBalance, setBalance } from './balances.js';
import { balancesByTicker, payIn, sumsOf } from './own-users.js';

/** A further account of a user. */
export interface AccountInput {
  /** Default `account-2` for the second account, and so on. */
  readonly name?: string | undefined;
  /** Its first balances, by ticker, for example `{ BTC: '2' }`: decimal text. */
  readonly balances?: Readonly<Record<string, string>> | undefined;
}

/** `sandbox.accounts`: opens accounts and moves money. */
export interface SandboxAccounts {
  /**
   * Gives a user a further account. It has the deposit methods of a new account and no bank links.
   *
   * @throws TypeError for wrong input. Error for an unknown user, and for a name that another
   * account of the user has.
   */
  add(userId: string, input?: AccountInput): Wire<UserAccount>;
  /**
   * Sets what an account holds of an asset. The difference comes from outside or goes there: it is
   * a deposit or a withdrawal of the ledger, without events and limits. Returns the balance.
   *
   * @throws TypeError for wrong input. Error for an unknown account, and for a total below what
   * orders hold.
   */
  setBalance(accountId: string, balance: BalanceInput): SandboxBalance;
  /**
   * Takes everything that no order holds out of an account, as `setBalance` does. Returns the
   * balances that orders hold.
   *
   * @throws Error for an unknown account.
   */
  empty(accountId: string): SandboxBalance[];
  /**
   * Starts an on-demand conversion; the service does not document how partners create one. It is
   * `converting`; 30 s later, or three days later from a linked bank, it is `settling`, and 90 s
   * after that `completed`. With `fails` it is `failed` instead of `settling`. A source balance is
   * held at once, pays when the conversion settles and is free again if it fails. A destination
   * balance receives when it completes.
   *
   * @throws TypeError for wrong input: kinds of ends that cannot be converted, an amount from which
   * the fees leave nothing. Error for an unknown account, an unapproved wallet, a bank source
   * without an eligible linked account, an amount above what is available.
   */
  convert(accountId: string, input: ConversionInput): Wire<OnDemandConversion>;
  /**
   * Credits money from outside at once. Returns the deposit limit of its method, whose `remaining`
   * is reduced by the amount for the length of its period.
   *
   * @throws TypeError for wrong input and for an asset or method that takes no deposits. Error for
   * an unknown account and for an amount beyond the limits.
   */
  deposit(accountId: string, input: DepositInput): Wire<DepositLimit>;
  /**
   * Money arrives at a deposit address of the account: `pending`, 30 s later `received`, and 30 s
   * after that `credited` without the method's fee. It counts against the method's limits at once.
   * Its `ref_id` is that of the ledger.
   *
   * @throws TypeError for wrong input. Error for an unknown account, an unknown or expired address,
   * a wrong tag or memo, an amount below the minimum or beyond the limits.
   */
  deposit(accountId: string, input: AddressDepositInput): SandboxDeposit;
  /**
   * The other side of the accounts since the sandbox began, by `type:symbol`: `exchange` (below 0
   * where it gave more than it got), `fees`, `outside` (deposits and payouts). Its sum with the
   * accounts' totals never changes.
   */
  readonly books: Readonly<Record<BookName, Readonly<Record<string, string>>>>;
}

const accountInput = z.strictObject({ name: z.optional(text), balances: balancesByTicker });

export function accountControls(state: State): SandboxAccounts {
  return {
    add: (userId, input) => betweenTasks(state, () => addAccount(state, userId, input)),
    setBalance: (accountId, balance) => betweenTasks(state, () => setBalance(state, accountId, balance)),
    empty: (accountId) => betweenTasks(state, () => emptyAccount(state, accountId)),
    convert: (accountId, input) => betweenTasks(state, () => startConversion(state, accountId, input)),
    deposit: ((accountId: string, input: DepositInput | AddressDepositInput) =>
      betweenTasks(state, (): unknown =>
        isToAddress(input) ? depositToAddress(state, accountId, input) : deposit(state, accountId, input),
      )) as SandboxAccounts['deposit'],
    get books() {
      state.clock.catchUp();
      const { exchange, fees, outside } = state.books;
      return { exchange: exchange.toJSON(), fees: fees.toJSON(), outside: outside.toJSON() };
    },
  };
}

const isToAddress = (input: unknown): input is AddressDepositInput => isRecord(input) && 'address' in input;

function addAccount(state: State, userId: string, given: AccountInput = {}): Wire<UserAccount> {
  const METHOD = 'accounts.add';
  const { name, balances } = checked(METHOD, accountInput, given);
  const owner = userNamed(state, METHOD, userId);
  const sums = sumsOf(state, `${METHOD}: balances`, balances);
  const taken = owner.user.accounts;
  const chosen = name ?? `account-${taken.length + 1}`;
  if (taken.some((one) => one.name === chosen)) throw new Error(`${METHOD}: the user has an account ${chosen} already`);
  const added = openAccount(state, owner, chosen);
  payIn(state, accountNamed(state, METHOD, added.id), sums);
  return added;
}
