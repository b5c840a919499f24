// The packaged sandbox as a process: prints the environment of a program that is to use it, and ends when its input ends.
import { createSandbox } from 'partner-sdk/sandbox';
import { signWebhook } from 'partner-sdk/webhooks';

const sandbox = createSandbox({ seed: 1 });
const { url } = await sandbox.listen({ port: 0 });
const { apiKey, apiSecret } = sandbox.credentials;
const secret = Buffer.from('a signing secret').toString('base64');
const body = JSON.stringify({ id: 'evt_1', type: 'quote.executed', data: {} });
const delivery = { secret, body, headers: { 'content-type': 'application/json', ...signWebhook({ body, secret }) } };
console.log(
  JSON.stringify({
    PARTNER_BASE_URL: url,
    PARTNER_API_KEY: apiKey,
    PARTNER_API_SECRET: apiSecret,
    ACCEPTANCE: JSON.stringify({ fixtures: sandbox.fixtures, delivery }),
  }),
);

process.stdin.on('end', () => sandbox.close()).resume();
