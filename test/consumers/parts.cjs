// Prints the files that calls load, and how often a zod that emits `zod` was called for their responses. The argument
// says how the package is loaded: `module` or `commonjs`.
const { createServer } = require('node:http');

const [USER, NOBODY] = ['AAAAAAA-AAAAA-AAAAAA', 'BBBBBBB-BBBBB-BBBBBB'];
let calls = 0;
process.on('zod', () => calls++);
const server = createServer((request, response) => {
  calls = 0;
  if (request.url.endsWith(USER)) return response.end(`{"data":{"id":"${USER}"}}`);
  response.writeHead(404).end('{"error":{"code":"user_not_found","instance":7}}');
});

server.listen(0, '127.0.0.1', async () => {
  const isModule = process.argv[2] === 'module';
  const { NotFoundError, PartnerClient } = isModule ? await import('partner-sdk') : require('partner-sdk');
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  const client = new PartnerClient({ baseUrl, apiKey: 'k', apiSecret: 'c2VjcmV0' });
  const counted = [];
  // A schema is compiled at its second use.
  for (let use = 0; use < 3; use++) {
    await client.users.get(USER);
    counted.push(calls);
    const error = await client.users.get(NOBODY).catch((reason) => reason);
    counted.push(calls);
    if (!(error instanceof NotFoundError) || error.instance !== '7') throw error;
  }
  await client.close();
  server.close();
  console.log(JSON.stringify({ counted, files: Object.keys(require.cache) }));
});
