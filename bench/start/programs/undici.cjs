/** `node undici.cjs URL`: one bare request, for a quote or a page. */
const { getGlobalDispatcher, request } = require('undici');

async function main([url]) {
  const { body } = await request(url);
  const { data } = JSON.parse(await body.text());
  const milliseconds = performance.now();
  const { user, system } = process.cpuUsage();
  console.log(
    JSON.stringify({
      milliseconds,
      cpu: (user + system) / 1000,
      answer: data.to?.amount ?? data.at(-1).fees.to.amount,
    }),
  );
  await getGlobalDispatcher().close();
}

main(process.argv.slice(2));
