// A sandbox in a process of its own: `node served.mjs FILE OPTIONS KEYS`. It tells its address and
// keys, and on each message how much CPU it has used: after it has made as many sandboxes as the message says.
import { createRequire } from 'node:module';

const [file, options, keys] = process.argv.slice(2);
const { createSandbox } = createRequire(import.meta.url)(file);
const sandbox = createSandbox(JSON.parse(options));
const { url } = await sandbox.listen();
const credentials = Array.from({ length: Number(keys) }, () => sandbox.keys.issue());
const { accountId, quoteId } = sandbox.fixtures;
process.on('message', async ({ make }) => {
  for (let made = 0; made < make; made += 1) await createSandbox(JSON.parse(options)).close();
  const { user, system } = process.cpuUsage();
  process.send({ cpu: user + system, rss: process.memoryUsage.rss() });
});
process.send({ url, credentials, accountId, quoteId });
