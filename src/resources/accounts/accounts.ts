import { Resource } from '../resource.js';
import { OnDemandConversions } from './on-demand-conversions.js';
import { OnchainQuotes } from './onchain-quotes.js';
import { Portfolio } from './portfolio.js';
import { PriceTriggerSwaps } from './price-trigger-swaps.js';
import { Quotes } from './quotes.js';
import { Wallets } from './wallets.js';

/** `client.accounts`: quotes, conversions, portfolio and wallets of one account. */
export class Accounts extends Resource {
  readonly onDemandConversions = new OnDemandConversions(this.caller);
  readonly quotes = new Quotes(this.caller);
  readonly priceTriggerSwaps = new PriceTriggerSwaps(this.caller);
  readonly onchainQuotes = new OnchainQuotes(this.caller);
  readonly portfolio = new Portfolio(this.caller);
  readonly wallets = new Wallets(this.caller);
}
