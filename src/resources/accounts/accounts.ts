import type { Caller } from '../../call/caller.js';
import { OnDemandConversions } from './on-demand-conversions.js';
import { OnchainQuotes } from './onchain-quotes.js';
import { Portfolio } from './portfolio.js';
import { Quotes } from './quotes.js';
import { Wallets } from './wallets.js';

/** `client.accounts`: everything of one account. */
export class Accounts {
  readonly onDemandConversions: OnDemandConversions;
  readonly quotes: Quotes;
  readonly onchainQuotes: OnchainQuotes;
  readonly portfolio: Portfolio;
  readonly wallets: Wallets;

  /** @internal */
  constructor(caller: Caller) {
    this.onDemandConversions = new OnDemandConversions(caller);
    this.quotes = new Quotes(caller);
    this.onchainQuotes = new OnchainQuotes(caller);
    this.portfolio = new Portfolio(caller);
    this.wallets = new Wallets(caller);
  }
}
