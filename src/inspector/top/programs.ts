import { curlCode } from '../parts/programs/curl.js';
import { pythonCode } from '../parts/programs/python.js';
import type { Sendable } from '../parts/programs/sendable.js';
import { quoted } from '../wire/api.js';
import type { SandboxCredentials, SandboxFixtures } from '../wire/sandbox.js';

/** Facts that a first program needs. */
export interface SetUp {
  /** Address of the API: `http://127.0.0.1:8420`. */
  readonly url: string;
  readonly credentials: SandboxCredentials;
  readonly fixtures: SandboxFixtures;
}

interface Program {
  readonly label: string;
  /** The way to run it, in a few words. */
  readonly use: string;
  readonly text: (setUp: SetUp) => string;
}

const firstCall = ({ fixtures: { userId } }: SetUp): Sendable => ({
  method: 'GET',
  path: `/v1/users/${userId}`,
  hasOtp: false,
  body: undefined,
  contentType: undefined,
  key: undefined,
});

const variablesOf = ({
  url,
  credentials: { apiKey, apiSecret },
  fixtures,
}: SetUp): Readonly<Record<string, string>> => ({
  PARTNER_BASE_URL: url,
  PARTNER_API_KEY: apiKey,
  PARTNER_API_SECRET: apiSecret,
  PARTNER_SANDBOX_URL: url,
  PARTNER_USER_ID: fixtures.userId,
  PARTNER_ACCOUNT_ID: fixtures.accountId,
});

function exportsOf(setUp: SetUp): string {
  return Object.entries(variablesOf(setUp))
    .map(([name, value]) => `export ${name}=${quoted(value)}\n`)
    .join('');
}

const curl = (setUp: SetUp): string => exportsOf(setUp) + curlCode(firstCall(setUp), setUp.url);

const python = (setUp: SetUp): string => `\
import os
${Object.entries(variablesOf(setUp))
  .map(([name, value]) => `os.environ[${JSON.stringify(name)}] = ${JSON.stringify(value)}\n`)
  .join('')}${pythonCode(firstCall(setUp), setUp.url)}`;

const typescript = ({ url, credentials, fixtures: { userId } }: SetUp): string => `\
import { PartnerClient } from 'partner-sdk';

const client = new PartnerClient({
  baseUrl: ${JSON.stringify(url)},
  apiKey: ${JSON.stringify(credentials.apiKey)},
  apiSecret: ${JSON.stringify(credentials.apiSecret)},
});
console.log(await client.users.get(${JSON.stringify(userId)}));
await client.close();
`;

/** First programs: each runs as it stands, and makes a signed call. */
export const PROGRAMS: readonly Program[] = [
  { label: 'export', use: 'variables for a shell', text: exportsOf },
  { label: 'curl', use: 'bash first.sh, or paste it; needs curl and openssl', text: curl },
  { label: 'Python', use: 'python3 first.py; its standard library alone', text: python },
  { label: 'TypeScript', use: 'npm install partner-sdk tsx, npx tsx first.ts', text: typescript },
];
