// The application: what a partner's backend does when a customer converts money.
import { isPartnerError, type PartnerClient, type Quote } from 'partner-sdk';

/** What became of a conversion. */
export type Conversion =
  | { readonly state: 'done'; readonly received: string }
  | { readonly state: 'not done'; readonly why: string }
  /** The service may have done it: ask again with the same key. */
  | { readonly state: 'unknown'; readonly idempotencyKey: string | undefined };

/** Converts US dollars to bitcoin at the price of the moment. */
export async function convert(client: PartnerClient, accountId: string, dollars: string): Promise<Conversion> {
  const { quotes } = client.accounts;
  try {
    const quote = await quotes.create(accountId, {
      from: { symbol: 'USD', type: 'fiat', amount: dollars },
      to: { symbol: 'BTC', type: 'crypto' },
    });
    await quotes.execute(accountId, quote.id);
    return outcomeOf(await quotes.waitFor(accountId, quote.id));
  } catch (error) {
    if (!isPartnerError(error)) throw error;
    if (error.outcome === 'not_applied') return { state: 'not done', why: error.message };
    return { state: 'unknown', idempotencyKey: error.idempotencyKey };
  }
}

function outcomeOf({ status, to }: Quote): Conversion {
  if (status === 'executed') return { state: 'done', received: `${to.amount.toFixed()} ${to.symbol}` };
  return { state: 'not done', why: `the quote is ${status}` };
}
