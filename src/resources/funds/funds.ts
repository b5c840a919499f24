import { Resource } from '../resource.js';
import { FundingAddresses } from './addresses.js';
import { BankLinks } from './bank-links.js';
import { DepositAddresses } from './deposit-addresses.js';
import { DepositLimits } from './deposit-limits.js';
import { DepositMethods } from './deposit-methods.js';
import { FundsTransactions } from './transactions.js';
import { WithdrawalAddresses } from './withdrawal-addresses.js';
import { Withdrawals } from './withdrawals.js';

/** `client.funds`: money in and out, its addresses, limits and ledger, bank links. */
export class Funds extends Resource {
  readonly withdrawalAddresses = new WithdrawalAddresses(this.caller);
  readonly addresses = new FundingAddresses(this.caller);
  readonly bankLinks = new BankLinks(this.caller);
  readonly depositLimits = new DepositLimits(this.caller);
  readonly depositMethods = new DepositMethods(this.caller);
  readonly depositAddresses = new DepositAddresses(this.caller);
  readonly withdrawals = new Withdrawals(this.caller);
  readonly transactions = new FundsTransactions(this.caller);
}
