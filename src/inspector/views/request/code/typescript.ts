import type { ClientCall } from './client-call.js';

/** Writes a program that makes the call with the client of this package. */
export function typescriptCode({ text, isList }: ClientCall, origin: string): string {
  return [
    "import { PartnerClient } from 'partner-sdk';",
    '',
    '// Reads PARTNER_API_KEY and PARTNER_API_SECRET.',
    `const client = new PartnerClient({ baseUrl: process.env['PARTNER_BASE_URL'] ?? ${JSON.stringify(origin)} });`,
    `const answer = await ${text};`,
    `console.log(answer${isList ? '.items' : ''});`,
    'await client.close();',
    '',
  ].join('\n');
}
