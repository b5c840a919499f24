/**
 * A process that delivers webhooks to a receiver that does not answer, closes its sandbox and does nothing more: it ends by itself if
 * nothing is left behind. Argument: the receiver's address.
 */
import { createSandbox } from '../../../../src/sandbox/index.js';

const [url = ''] = process.argv.slice(2);
const sandbox = createSandbox({ realTime: true });
await sandbox.listen();
sandbox.registerWebhook({ url });
for (let index = 0; index < 20; index += 1) {
  sandbox.deposit(sandbox.fixtures.accountId, { symbol: 'USD', amount: '0.01' });
}
await new Promise((resolve) => setTimeout(resolve, 300));
await sandbox.close();
await sandbox.idle();
// Node lets go of closed sockets a little later.
await new Promise((resolve) => setTimeout(resolve, 100));
const left = process.getActiveResourcesInfo().filter((name) => /TCP|Timeout|Immediate/.test(name));
process.stdout.write(JSON.stringify(left));
