/**
 * A process that delivers webhooks to a receiver that does not answer, closes its sandbox and does nothing more: it ends by itself if
 * nothing is left behind, and says what is. Argument: the receiver's address. It closes once its input ends, which tells that the
 * deliveries have come in.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSandbox } from '../../../../src/sandbox/index.js';

const [url = ''] = process.argv.slice(2);
const sandbox = createSandbox({ realTime: true });
await sandbox.listen();
sandbox.webhooks.register({ url });
for (let index = 0; index < 20; index += 1) {
  sandbox.accounts.deposit(sandbox.fixtures.accountId, { symbol: 'USD', amount: '0.01' });
}
process.stdin.resume();
await once(process.stdin, 'end');
await sandbox.close();
await sandbox.webhooks.idle();
const left = (kinds: RegExp): string[] => process.getActiveResourcesInfo().filter((kind) => kinds.test(kind));
// Node lets go of closed sockets a little later. The limit is below that of an attempt, which would end them, too.
const limit = performance.now() + 10_000;
do await sleep(10);
while (left(/TCP/).length > 0 && performance.now() < limit);
process.stdout.write(JSON.stringify(left(/TCP|Timeout|Immediate/)));
