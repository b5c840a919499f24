import { AccountEarn } from '../earn/account-earn.js';
import { Resource } from '../resource.js';
import { ConversionRules } from './conversion-rules.js';
import { AccountConversions } from './conversions.js';
import { ExpectedDeposits } from './deposits.js';
import { OnDemandConversions } from './on-demand-conversions.js';
import { OnchainQuotes } from './onchain-quotes.js';
import { Portfolio } from './portfolio.js';
import { PriceTriggerSwaps } from './price-trigger-swaps.js';
import { Quotes } from './quotes.js';
import { AccountTransfers } from './transfers.js';
import { Wallets } from './wallets.js';

/**
 * `client.accounts`: quotes, conversions, transfers, portfolio, wallets, earning of one account.
 */
export class Accounts extends Resource {
  readonly conversions = new AccountConversions(this.caller);
  readonly conversionRules = new ConversionRules(this.caller);
  readonly deposits = new ExpectedDeposits(this.caller);
  readonly transfers = new AccountTransfers(this.caller);
  readonly onDemandConversions = new OnDemandConversions(this.caller);
  readonly quotes = new Quotes(this.caller);
  readonly priceTriggerSwaps = new PriceTriggerSwaps(this.caller);
  readonly onchainQuotes = new OnchainQuotes(this.caller);
  readonly portfolio = new Portfolio(this.caller);
  readonly wallets = new Wallets(this.caller);
  readonly earn = new AccountEarn(this.caller);
}
