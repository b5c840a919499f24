import { Resource } from '../resource.js';
import { FundingAddresses } from './addresses.js';
import { BankLinks } from './bank-links.js';
import { DepositAddresses } from './deposit-addresses.js';
import { DepositLimits } from './deposit-limits.js';
import { DepositMethods } from './deposit-methods.js';
import { FundsTransactions } from './transactions.js';
import { WithdrawalAddresses } from './withdrawal-addresses.js';
import { WithdrawalMethods } from './withdrawal-methods.js';
import { Withdrawals } from './withdrawals.js';

/** `client.funds`: money in and out, its addresses, limits and ledger, bank links. */
export class Funds extends Resource {
  readonly withdrawalAddresses = new WithdrawalAddresses(this.api);
  readonly withdrawalMethods = new WithdrawalMethods(this.api);
  readonly addresses = new FundingAddresses(this.api);
  readonly bankLinks = new BankLinks(this.api);
  readonly depositLimits = new DepositLimits(this.api);
  readonly depositMethods = new DepositMethods(this.api);
  readonly depositAddresses = new DepositAddresses(this.api);
  readonly withdrawals = new Withdrawals(this.api);
  readonly transactions = new FundsTransactions(this.api);
}
