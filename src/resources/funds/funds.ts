import { Resource } from '../resource.js';
import { FundingAddresses } from './addresses.js';
import { BankLinks } from './bank-links.js';
import { DepositLimits } from './deposit-limits.js';
import { WithdrawalAddresses } from './withdrawal-addresses.js';

/** `client.funds`: withdrawal and funding addresses, bank links, deposit limits. */
export class Funds extends Resource {
  readonly withdrawalAddresses = new WithdrawalAddresses(this.caller);
  readonly addresses = new FundingAddresses(this.caller);
  readonly bankLinks = new BankLinks(this.caller);
  readonly depositLimits = new DepositLimits(this.caller);
}
