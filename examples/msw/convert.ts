// The application, a partner's backend that converts money for a customer.
import { isPartnerError, type PartnerClient, type Quote } from 'partner-sdk';

/** The result of a conversion. */
export type Conversion =
  | { readonly state: 'done'; readonly received: string }
  | { readonly state: 'not done'; readonly why: string }
  /**
   * The conversion may have happened, or may still happen. Look at the quote later, and never start
   * another conversion instead.
   */
  | { readonly state: 'unknown'; readonly quoteId: string };

/**
 * Converts US dollars to bitcoin at the current price. Throws if there is no price. Nothing has
 * happened then.
 */
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
    // The outcome of the failed call, here of the execution.
    return error.outcome === 'not_applied'
      ? { state: 'not done', why: error.message }
      : { state: 'unknown', quoteId: id };
  }
  return settled(client, accountId, id);
}

/** Waits until an execution has ended. A failed wait says nothing about the execution. */
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
