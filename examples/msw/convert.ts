// The application: what a partner's backend does when a customer converts money.
import { isPartnerError, type PartnerClient, type Quote } from 'partner-sdk';

/** What became of a conversion. */
export type Conversion =
  | { readonly state: 'done'; readonly received: string }
  | { readonly state: 'not done'; readonly why: string }
  /** It may have happened, or may still: look at the quote later. Never begin another in its place. */
  | { readonly state: 'unknown'; readonly quoteId: string };

/** Converts US dollars to bitcoin at the price of the moment. Throws when no price is to be had: nothing has happened then. */
export async function convert(client: PartnerClient, accountId: string, dollars: string): Promise<Conversion> {
  const { quotes } = client.accounts;
  const { id } = await quotes.create(accountId, {
    from: { symbol: 'USD', type: 'fiat', amount: dollars },
    to: { symbol: 'BTC', type: 'crypto' },
  });
  try {
    await quotes.execute(accountId, id);
  } catch (error) {
    if (!isPartnerError(error)) throw error;
    // The outcome is that of the call: here, of the execution.
    return error.outcome === 'not_applied'
      ? { state: 'not done', why: error.message }
      : { state: 'unknown', quoteId: id };
  }
  return settled(client, accountId, id);
}

/** Waits for the end of an execution that has begun. That the wait fails says nothing about the execution. */
export async function settled(client: PartnerClient, accountId: string, quoteId: string): Promise<Conversion> {
  try {
    return conversionOf(await client.accounts.quotes.waitFor(accountId, quoteId));
  } catch (error) {
    if (!isPartnerError(error)) throw error;
    return { state: 'unknown', quoteId };
  }
}

function conversionOf({ status, to }: Quote): Conversion {
  if (status === 'executed') return { state: 'done', received: `${to.amount.toFixed()} ${to.symbol}` };
  return { state: 'not done', why: `the quote is ${status}` };
}
