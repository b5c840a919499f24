import { AccountConversions, ConversionRules } from '../conversions.js';
import { AccountEarn } from '../earn.js';
import { Resource } from '../resource.js';
import { AccountTransfers } from '../transfers.js';
import { ExpectedDeposits } from './deposits.js';
import { OnDemandConversions } from './on-demand-conversions.js';
import { OnchainQuotes } from './onchain-quotes.js';
import { Portfolio } from './portfolio.js';
import { PriceTriggerSwaps } from './price-trigger-swaps.js';
import { Quotes } from './quotes.js';
import { Wallets } from './wallets.js';

/**
 * `client.accounts`: quotes, conversions, transfers, portfolio, wallets and earn of one account.
 */
export class Accounts extends Resource {
  readonly conversions = new AccountConversions(this.api);
  readonly conversionRules = new ConversionRules(this.api);
  readonly deposits = new ExpectedDeposits(this.api);
  readonly transfers = new AccountTransfers(this.api);
  readonly onDemandConversions = new OnDemandConversions(this.api);
  readonly quotes = new Quotes(this.api);
  readonly priceTriggerSwaps = new PriceTriggerSwaps(this.api);
  readonly onchainQuotes = new OnchainQuotes(this.api);
  readonly portfolio = new Portfolio(this.api);
  readonly wallets = new Wallets(this.api);
  readonly earn = new AccountEarn(this.api);
}
