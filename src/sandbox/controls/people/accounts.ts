import * as z from 'zod/mini';
import type { OnDemandConversion } from '../../../resources/accounts/on-demand-conversions.js';
import type { BankLink } from '../../../resources/funds/bank-links.js';
import type { DepositLimit } from '../../../resources/funds/deposit-limits.js';
import type { Wire } from '../../../schema/types.js';
import { isRecord } from '../../../util/options.js';
import type { SandboxDeposit } from '../../lifecycles/funds/settle.js';
import { seedBankLink, withEligibility } from '../../seed/bank-links.js';
import { timestamp } from '../../state/clock.js';
import type { BookName } from '../../state/ledger.js';
import type { State } from '../../state/state.js';
import { accountNamed, change, checked, text } from '../input.js';
import { type ConversionInput, startConversion } from '../money/convert.js';
import { type AddressDepositInput, type DepositInput, deposit, depositToAddress } from '../money/deposit.js';

/** The eligibility of a new bank link. */
export interface BankLinkOptions {
  /** Of its account. Default `eligible`. */
  readonly eligibility?: 'eligible' | 'ineligible' | undefined;
  /** It is `unknown` for so many milliseconds of the sandbox's clock, 0 or more. Default 0. */
  readonly unknownFor?: number | undefined;
}

const bankLinkOptions = z.strictObject({
  eligibility: z.optional(z.enum(['eligible', 'ineligible'])),
  unknownFor: z.optional(z.number().check(z.nonnegative())),
});

/** `sandbox.accounts`: moves money and links banks. */
export interface SandboxAccounts {
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
   * Links a bank with one account, as the hosted widget does.
   *
   * @throws TypeError for a wrong option, Error for an unknown account.
   */
  linkBank(accountId: string, options?: BankLinkOptions): BankLink;
  /**
   * Unlinks a bank permanently: the API no longer returns it.
   *
   * @throws Error for an unknown id.
   */
  unlinkBank(bankLinkId: string): void;
  /**
   * The other side of the accounts since the sandbox began, by `type:symbol`: `exchange` (below 0
   * where it gave more than it got), `fees`, `outside` (deposits and payouts). Its sum with the
   * accounts' totals never changes.
   */
  readonly books: Readonly<Record<BookName, Readonly<Record<string, string>>>>;
}

export function accountControls(state: State): SandboxAccounts {
  return {
    convert: (accountId, input) => change(state, () => startConversion(state, accountId, input)),
    deposit: ((accountId: string, input: DepositInput | AddressDepositInput) =>
      change(state, (): unknown =>
        isToAddress(input) ? depositToAddress(state, accountId, input) : deposit(state, accountId, input),
      )) as SandboxAccounts['deposit'],
    linkBank: (accountId, options) => change(state, () => linkBank(state, accountId, options)),
    unlinkBank: (bankLinkId) => change(state, () => unlinkBank(state, bankLinkId)),
    get books() {
      state.clock.catchUp();
      const { exchange, fees, outside } = state.books;
      return { exchange: exchange.toJSON(), fees: fees.toJSON(), outside: outside.toJSON() };
    },
  };
}

const isToAddress = (input: unknown): input is AddressDepositInput => isRecord(input) && 'address' in input;

function linkBank(state: State, accountId: string, options: BankLinkOptions = {}): Wire<BankLink> {
  const METHOD = 'accounts.linkBank';
  const { eligibility = 'eligible', unknownFor = 0 } = checked(METHOD, bankLinkOptions, options);
  const { id: account, bankLinks } = accountNamed(state, METHOD, accountId);
  const made = seedBankLink('plain', state.random, timestamp(state.clock.now()));
  const link = withEligibility(made, unknownFor > 0 ? 'unknown' : eligibility);
  const id = link.bank_link_id;
  bankLinks.set(id, link);
  if (unknownFor > 0) {
    state.clock.plan(state.clock.now() + unknownFor, { kind: 'step', step: `bank_link.${eligibility}`, id, account });
  }
  return link;
}

function unlinkBank({ accounts }: State, bankLinkId: string): void {
  const id = checked('accounts.unlinkBank', text, bankLinkId);
  const unlinked = [...accounts.values()].some(({ bankLinks }) => bankLinks.delete(id));
  if (!unlinked) throw new Error(`accounts.unlinkBank: there is no bank link ${id}`);
}
