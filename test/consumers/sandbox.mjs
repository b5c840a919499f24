// The packaged sandbox as a process: prints the environment of a program that is to use it, and ends when its input ends.
import { createSandbox } from 'partner-sdk/sandbox';

const sandbox = createSandbox({ seed: 1 });
const { url } = await sandbox.listen({ port: 0 });
const { apiKey, apiSecret } = sandbox.credentials;
console.log(
  JSON.stringify({
    PARTNER_BASE_URL: url,
    PARTNER_API_KEY: apiKey,
    PARTNER_API_SECRET: apiSecret,
    CONSUMER_FIXTURES: JSON.stringify(sandbox.fixtures),
  }),
);

process.stdin.on('end', () => sandbox.close()).resume();
