/** `node undici.mjs URL`: one bare request, for a quote or a page. */
import { getGlobalDispatcher, request } from 'undici';

const { body } = await request(process.argv[2]);
const { data } = JSON.parse(await body.text());
const milliseconds = performance.now();
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({ milliseconds, cpu: (user + system) / 1000, answer: data.to?.amount ?? data.at(-1).fees.to.amount }),
);
await getGlobalDispatcher().close();
