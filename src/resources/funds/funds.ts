import type { Caller } from '../../call/caller.js';
import { FundingAddresses } from './addresses.js';
import { BankLinks } from './bank-links.js';
import { DepositLimits } from './deposit-limits.js';
import { WithdrawalAddresses } from './withdrawal-addresses.js';

/** `client.funds`: money in and out. */
export class Funds {
  readonly withdrawalAddresses: WithdrawalAddresses;
  readonly addresses: FundingAddresses;
  readonly bankLinks: BankLinks;
  readonly depositLimits: DepositLimits;

  /** @internal */
  constructor(caller: Caller) {
    this.withdrawalAddresses = new WithdrawalAddresses(caller);
    this.addresses = new FundingAddresses(caller);
    this.bankLinks = new BankLinks(caller);
    this.depositLimits = new DepositLimits(caller);
  }
}
