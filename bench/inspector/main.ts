/** The sandbox's page under load: `npm run bench:inspector -- --seconds 30 --per-second 200`. Needs Chromium. */
import { parseArgs } from 'node:util';
import { PartnerClient } from 'partner-sdk';
import { createSandbox } from 'partner-sdk/sandbox';
import { launchChromium } from '../../tools/chromium.js';
import { firstPaintMs, LONG_TASK_MS, measured, watchedPage } from './page-figures.js';
import { fill, traffic } from './traffic.js';

const ENTRIES = 10_000;

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, 'per-second': { type: 'string', default: '200' } },
});
const load = { seconds: Number(values.seconds), perSecond: Number(values['per-second']) };

await using sandbox = createSandbox({ realTime: true, inspect: true });
const { url } = await sandbox.listen();
await using client = new PartnerClient({ baseUrl: url, ...sandbox.credentials });
await fill(sandbox, ENTRIES);
const browser = await launchChromium();
try {
  const home = `${url}/_sandbox/`;
  // The first page of a browser also starts its processes.
  const paints: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    const page = await watchedPage(browser);
    await page.goto(home);
    paints.push(await firstPaintMs(page));
    await page.context().close();
  }
  console.log(
    `first paint, with ${ENTRIES} entries: ${paints.join(', ')} ms (the first starts the browser's processes)`,
  );
  for (const view of ['timeline', 'resources', 'money', 'webhooks', 'faults', 'try', 'keys', 'checks']) {
    const page = await watchedPage(browser);
    let requests = 0;
    const figures = await measured(browser, page, async () => {
      await page.goto(`${home}#/${view}`);
      await page.getByText('live', { exact: true }).waitFor();
      requests = await traffic(sandbox, client, url, load);
    });
    const { longestCpuMs, longTasks, cpuShare, drawsPerSecond, nodes, heapMegabytes } = figures;
    console.log(
      `${view}: ${requests} requests in ${load.seconds} s; longest tasks ${longestCpuMs
        .slice(0, 3)
        .map((ms) => ms.toFixed(1))
        .join(', ')} ms of CPU; above ${LONG_TASK_MS} ms by the clock: ${longTasks.join(', ') || 'none'}; ` +
        `${(cpuShare * 100).toFixed(0)} % of a core; ${drawsPerSecond.toFixed(1)} draws/s; ${nodes} nodes; ` +
        `heap ${heapMegabytes.toFixed(1)} MB`,
    );
    await page.context().close();
  }
} finally {
  await browser.close();
}
