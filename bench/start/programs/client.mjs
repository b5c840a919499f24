/** `node client.mjs ORIGIN API_KEY API_SECRET ACCOUNT [QUOTE]`: one signed read by the client, of a quote or of a page. */
import { PartnerClient } from 'partner-sdk';

const [baseUrl, apiKey, apiSecret, account, id] = process.argv.slice(2);
const client = new PartnerClient({ baseUrl, apiKey, apiSecret });
const amount = id ? await amountOfQuote() : await lastFeeOfPage();
const milliseconds = performance.now();
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ milliseconds, cpu: (user + system) / 1000, answer: amount.toFixed() }));
await client.close();

async function amountOfQuote() {
  return (await client.accounts.quotes.get(account, id)).to.amount;
}

async function lastFeeOfPage() {
  const { items } = await client.accounts.onDemandConversions.list(account, { page_size: 25 });
  return items.at(-1).fees.to.amount;
}
