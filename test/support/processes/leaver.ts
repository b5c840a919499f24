/**
 * A process that uses a client, closes it and does nothing more: it ends by itself if nothing is left behind.
 * Arguments: address, API key, secret, how the last call ends.
 */
import { PartnerClient } from '../../../src/index.js';

const [baseUrl = '', apiKey = '', apiSecret = '', ending = ''] = process.argv.slice(2);
const client = new PartnerClient({ baseUrl, apiKey, apiSecret, attemptTimeout: 60_000, timeout: 90_000 });
const user = 'USER-0000-0000-0001';
await Promise.all(Array.from({ length: 10 }, () => client.users.get(user)));
const controller = new AbortController();
const last = client.users.get(user, { signal: controller.signal, timeout: 1_500 }).catch(() => undefined);
if (ending === 'abort') {
  setTimeout(() => controller.abort(), 100);
  await last;
}
if (ending === 'success') await last;
if (ending === 'open') await new Promise((resolve) => setTimeout(resolve, 100));
await client.close();
await last;
const left = process.getActiveResourcesInfo().filter((name) => /TCP|Timeout|Immediate/.test(name));
process.stdout.write(JSON.stringify(left));
