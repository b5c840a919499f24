import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/index.js';
import { invoke, operation } from '../resources/support/operations.js';
import { failure, type Received, rejection, startService } from '../resources/support/service.js';

const service = startService();
const whitelist = operation('accounts.wallets.whitelist');
const REST = 'bc1qsecretpart';

/** Ways in which a service may repeat a request in its refusal. */
const ECHOES: readonly (readonly [string, (request: Received) => Response])[] = [
  ['a text', ({ headers, body }) => new Response(`${headers['api-otp']} refused: ${body}`, { status: 400 })],
  ['HTML', ({ body }) => new Response(`<p>${body.replaceAll('"', '&quot;')}</p>`, { status: 502 })],
  ['a URL', ({ body }) => new Response(encodeURIComponent(body), { status: 400 })],
  ['one member', ({ body }) => new Response(`the address ${JSON.parse(body).address} is wrong`, { status: 400 })],
  [
    'a cause',
    ({ body }) =>
      failure(400, 'bad_request', {
        causes: [{ field: 'address', message: `the address ${JSON.parse(body).address} is wrong` }],
      }),
  ],
];

const everything = (error: ApiError): string =>
  [
    inspect(error, { depth: 10, showHidden: true, maxStringLength: null }),
    JSON.stringify(error),
    error.message,
    error.body,
  ].join('\n');

describe('of secrets that hold one another nothing stays', () => {
  for (const [how, answer] of ECHOES) {
    it.each([
      ['a prefix', 'coldwallet', `coldwallet-${REST}`],
      ['a suffix', 'coldwallet', `${REST}-coldwallet`],
      ['a part', 'coldwallet', `${REST}-coldwallet-${REST}`],
    ])(`an OTP that is %s of a text of the body, echoed as ${how}`, async (_, otp, address) => {
      service.answer(answer);
      const body = { ...whitelist.body, address };
      const error = (await rejection(invoke(whitelist, service.client(), { body }, { otp }))) as ApiError;
      expect(error).toBeInstanceOf(ApiError);
      expect(everything(error)).not.toContain('secretpart');
      expect(everything(error)).not.toContain('coldwallet');
    });
  }

  it.each(['forwards', 'backwards'])('texts of the body among each other, %s', async (order) => {
    const texts = ['private-name', 'private-name-of-somebody', 'private-name-of-somebody-else'];
    const [via = '', memo = '', address = ''] = order === 'forwards' ? texts : texts.reverse();
    service.answer(() => new Response(`seen: ${texts.join(' ')}`, { status: 400 }));
    const body = { ...whitelist.body, via, memo, address };
    const error = (await rejection(invoke(whitelist, service.client(), { body }))) as ApiError;
    expect(everything(error)).not.toMatch(/private-name|somebody|-else/);
  });
});
