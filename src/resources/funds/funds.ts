import { Resource } from '../resource.js';
import { FundingAddresses, WithdrawalAddresses } from './addresses.js';
import { BankLinks } from './bank-links.js';
import { DepositAddresses, DepositLimits, DepositMethods } from './deposits.js';
import { FundsTransactions } from './transactions.js';
import { WithdrawalMethods, Withdrawals } from './withdrawals.js';

/** `client.funds`: money in and out, with addresses, limits, the ledger and bank links. */
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
