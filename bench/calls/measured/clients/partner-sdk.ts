import { type ClientOptions, PartnerClient } from 'partner-sdk';
import { type CreateClient, type MeasuredClient, measured } from '../client.js';
import { ACCOUNT, API_KEY, API_SECRET, PAGE_SIZE, QUOTE, WRITE_BODY } from '../requests.js';

/** With the options that every user has. */
export const create: CreateClient = (origin) => createWith(origin, {});

export function createWith(origin: string, options: ClientOptions): MeasuredClient {
  const { accounts } = new PartnerClient({ apiKey: API_KEY, apiSecret: API_SECRET, baseUrl: origin, ...options });
  return {
    quote: measured(
      () => accounts.quotes.get(ACCOUNT, QUOTE),
      (quote) => quote.to.amount.toFixed(),
    ),
    page: measured(
      () => accounts.onDemandConversions.list(ACCOUNT, { page_size: PAGE_SIZE }),
      ({ items }) => items[24]?.fees.to.amount.toFixed(),
    ),
    write: measured(
      () => accounts.quotes.create(ACCOUNT, WRITE_BODY),
      (quote) => quote.id,
    ),
  };
}
