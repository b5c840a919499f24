/** `node client.mjs ORIGIN PATH API_KEY API_SECRET ACCOUNT [QUOTE]`: one signed read, of a quote or of a page. */
import { PartnerClient } from 'partner-sdk';
import { report } from './report.mjs';

async function main([baseUrl, , apiKey, apiSecret, account, id]) {
  const client = new PartnerClient({ baseUrl, apiKey, apiSecret });
  const amount = id ? await amountOfQuote(client, account, id) : await lastFeeOfPage(client, account);
  report(() => amount.toFixed());
  await client.close();
}

async function amountOfQuote(client, account, id) {
  return (await client.accounts.quotes.get(account, id)).to.amount;
}

async function lastFeeOfPage(client, account) {
  const { items } = await client.accounts.onDemandConversions.list(account, { page_size: 25 });
  return items.at(-1).fees.to.amount;
}

main(process.argv.slice(2));
