/** `node undici.mjs ORIGIN PATH`: one bare request, for a quote or a page. */
import { getGlobalDispatcher, request } from 'undici';
import { amountOf, report } from './report.mjs';

async function main([origin, path]) {
  const { body } = await request(origin + path);
  const { data } = JSON.parse(await body.text());
  report(() => amountOf(data));
  await getGlobalDispatcher().close();
}

main(process.argv.slice(2));
