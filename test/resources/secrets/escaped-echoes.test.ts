import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiError } from '../../../src/index.js';
import { invoke, operation } from '../support/operations.js';
import { expectNoSecret } from '../support/secrets.js';
import { failure, json, OTP, type Received, rejection, startService } from '../support/service.js';

const service = startService();
const whitelist = operation('accounts.wallets.whitelist');

const hex = (character: string, digits = 0) => character.charCodeAt(0).toString(16).padStart(digits, '0');
const upper = (text: string) => text.replace(/(?<=[\\%&].?).*/, (digits) => digits.toUpperCase());

/** Ways to write one character. */
const ESCAPES: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => `\\u${hex(character, 4)}`,
  (character) => upper(`\\u${hex(character, 4)}`),
  (character) => `\\u{${hex(character)}}`,
  (character) => `\\x${hex(character, 2)}`,
  (character) => `%${hex(character, 2)}`,
  (character) => upper(`%${hex(character, 2)}`),
  (character) => `%u${hex(character, 4)}`,
  (character) => `%25${hex(character, 2)}`,
  (character) => `&#${character.charCodeAt(0)};`,
  (character) => `&#x${hex(character)};`,
  (character) => `&#X0${hex(character).toUpperCase()};`,
  (character) => (character === '/' ? '\\/' : character),
  (character) => ({ '/': '&sol;', '+': '&plus;', '=': '&equals;' })[character] ?? character,
  (character) => (character === '+' ? ' ' : character),
  (character) => `${character}\r\n`,
  (character) => `${character}\0`,
];

const escapedBy = (text: string, choices: readonly number[]) =>
  [...text].map((character, place) => ESCAPES[choices[place % choices.length] ?? 0]?.(character)).join('');

const refusalOf = (answer: (request: Received) => Response): Promise<ApiError> => {
  service.answer(answer);
  return rejection(invoke(whitelist, service.client(), {}, { otp: OTP })) as Promise<ApiError>;
};

describe('a secret that the service echoes is taken out, however it is escaped', () => {
  it.each(ESCAPES.map((_, place) => place))(
    'each character by way %i: a signature, a one-time password',
    async (way) => {
      const error = await refusalOf(({ headers }) => {
        const shown = [headers['api-sign'], headers['api-otp']].map((secret) => escapedBy(secret ?? '', [way]));
        return new Response(`sign ${shown[0]} otp ${shown[1]} end`, { status: 502 });
      });
      expect(error.body).toMatch(
        /^sign \[redacted\](\\u000d\\u000a|\\u0000)? otp \[redacted\](\\u000d\\u000a|\\u0000)? end$/,
      );
    },
  );

  it('mixed in any way', async () => {
    const ways = fc.array(fc.nat(ESCAPES.length - 1), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(ways, async (choices) => {
        const error = await refusalOf(
          ({ headers }) => new Response(`sign ${escapedBy(headers['api-sign'] ?? '', choices)} end`, { status: 502 }),
        );
        expect(error.body).toMatch(/^sign \[redacted\](\\u000d|\\u000a|\\u0000|\[redacted\])* end$/);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['JSON in JSON', (text: string) => JSON.stringify(JSON.stringify(text))],
    ['a URL in HTML', (text: string) => encodeURIComponent(text).replaceAll('%', '&#37;')],
    ['JSON in a URL', (text: string) => encodeURIComponent(JSON.stringify(text).replaceAll('/', '\\/'))],
    [
      'a URL in a URL, in lower case',
      (text: string) => encodeURIComponent(encodeURIComponent(text)).replace(/%25../g, (code) => code.toLowerCase()),
    ],
  ])('twice, as %s: signature and texts of the body', async (_, twice) => {
    const body = { via: 'ethereum', address: 'Straße €𝄞 "1"/2 + <3> & co', memo: 'private-memo' };
    service.answer(({ headers }) => {
      const text = `a ${twice(headers['api-sign'] ?? '')} b ${twice(body.address)} c`;
      return new Response(text, { status: 502 });
    });
    const error = (await rejection(invoke(whitelist, service.client(), { body }, { otp: OTP }))) as ApiError;
    expect(error.body).toMatch(/^a \S{0,6}\[redacted\]\S{0,6} b \S{0,6}\[redacted\]\S{0,6} c$/);
  });

  it('cut off where the kept text ends, and where the search ends', async () => {
    const unicode = (text: string) => [...text].map((character) => `\\u${hex(character, 4)}`).join('');
    for (let offset = 0; offset < 1_050; offset += 7) {
      const error = await refusalOf(({ headers }) => {
        // What is taken out makes room: the text is kept up to the end of the search.
        const filled = `${unicode(OTP)} `.repeat(offset % 2 === 0 ? 24 : 0);
        const text = filled + ' '.repeat(offset) + unicode(headers['api-sign'] ?? '') + 'x'.repeat(3_000);
        return new Response(text, { status: 502 });
      });
      expect(error.body, `offset ${offset}`).not.toContain('\\u00');
    }
  });

  it('as the name of a member, in causes and in the headers of error and response', async () => {
    const error = await refusalOf(({ headers }) => {
      const causes = [
        { [headers['api-sign'] ?? '']: 1, deep: { [`otp ${OTP}`]: [{ [headers['api-sign'] ?? '']: 2 }] } },
      ];
      return failure(400, 'bad_request', { causes });
    });
    expect(JSON.stringify(error.causes)).toContain('[redacted]');
    expectNoSecret(service, error, 'names in causes');

    const withName = (status: number) => json(whitelist.answer, status, { [OTP]: 'x', 'x-otp': OTP });
    const refused = await refusalOf(() => withName(502));
    expectNoSecret(service, refused.response.headers, 'headers of an error');
    expect(refused.response.headers['[redacted]']).toBe('x');
    service.answer(() => withName(200));
    const call = service.client().accounts.wallets.whitelist('ACCOUNT-OF-TESTS', whitelist.body as never, { otp: OTP });
    const { response } = await call.withResponse();
    expectNoSecret(service, response, 'headers of a response');
    expect(response.headers['[redacted]']).toBe('x');
  });
});

describe('a text that looks like an escape', () => {
  it('is kept as it came', async () => {
    const text = '100% of C:\\users\\new & %zz &unknown; \\u12 %C3';
    const error = await refusalOf(() => new Response(text, { status: 502 }));
    expect(error.body).toBe(text);
  });
});

const everything = (error: ApiError): string =>
  [
    inspect(error, { depth: 10, showHidden: true, maxStringLength: null }),
    JSON.stringify(error),
    error.message,
    error.body,
  ].join('\n');

describe('of secrets that hold one another nothing stays', () => {
  it.each(['forwards', 'backwards'])('texts of the body among each other, %s', async (order) => {
    const texts = ['private-name', 'private-name-of-somebody', 'private-name-of-somebody-else'];
    const [via = '', memo = '', address = ''] = order === 'forwards' ? texts : texts.reverse();
    service.answer(() => new Response(`seen: ${texts.join(' ')}`, { status: 400 }));
    const body = { ...whitelist.body, via, memo, address };
    const error = (await rejection(invoke(whitelist, service.client(), { body }))) as ApiError;
    expect(everything(error)).not.toMatch(/private-name|somebody|-else/);
  });
});
