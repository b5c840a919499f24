/** `node client.mjs ORIGIN API_KEY API_SECRET ACCOUNT QUOTE`: one signed read by the client. */
import { PartnerClient } from 'partner-sdk';

const [baseUrl, apiKey, apiSecret, account, id] = process.argv.slice(2);
const client = new PartnerClient({ baseUrl, apiKey, apiSecret });
const quote = await client.accounts.quotes.get(account, id);
const milliseconds = performance.now();
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ milliseconds, cpu: (user + system) / 1000, answer: quote.to.amount.toFixed() }));
await client.close();
