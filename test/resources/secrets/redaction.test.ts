import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ApiError, ConnectionError, fetchTransport } from '../../../src/index.js';
import { redactor } from '../../../src/redaction/redact.js';
import { invoke, operation } from '../support/operations.js';
import { expectNoSecret, FORMS, texts } from '../support/secrets.js';
import { failure, json, OTP, rejection, startService } from '../support/service.js';

const service = startService();
const whitelist = operation('accounts.wallets.whitelist');
const create = operation('webhooks.create');

/** Each secret of these tests begins and ends with it, and nothing else has it: even a part of one is noticed. */
const MARK = 'Zq7';
const marked = (text: string): string => `${MARK}${text}${MARK}`;
const printable = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
const special = fc.constantFrom('/', '"', '\\', '+', '%', '=', '&', '<');
const anyText = fc.string({ unit: fc.oneof(printable, special), maxLength: 40 }).map(marked);
const base64 = fc.string({ unit: fc.constantFrom('a', 'Z', '/', '+'), minLength: 46, maxLength: 46 }).map(marked);

type Secret = readonly [name: string, texts: fc.Arbitrary<string>, call: (secret: string) => PromiseLike<unknown>];
const SECRETS: readonly Secret[] = [
  ['a one-time password', anyText, (otp) => invoke(whitelist, service.client(), {}, { otp })],
  ['a signature', anyText, (text) => invoke(whitelist, service.client({ signer: { sign: () => text } }))],
  ['an API secret', base64, (apiSecret) => invoke(whitelist, service.client({ apiSecret }))],
];

/** Where a service may repeat a text. */
const PLACES: readonly ((text: string) => Response)[] = [
  (text) => new Response(text, { status: 502 }),
  (text) => failure(400, text, { type: text, instance: text, doc_url: text }),
  (text) => failure(400, 'bad_request', { causes: [{ field: text, message: text }, { deep: [{ [text]: [text] }] }] }),
  (text) => new Response('', { status: 503, headers: { 'x-echo': text.replaceAll(/[\r\n]/g, '') } }),
  (text) => new Response(`{"data":{"account":[],"echo":"${text}"}}`),
  (text) => new Response(text),
];

/** What stands before the secret: nothing, or so much that the text is cut near it or inside. */
const fillers = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 920, max: 1_005 }).map((length) => '-'.repeat(length)),
);

const expectNoPart = (value: unknown): void => {
  for (const text of texts(value)) expect(text).not.toContain(MARK);
};

describe.each(SECRETS)('%s that the service repeats is in no error, whole or in part', (_, secrets, call) => {
  it.each(FORMS)('%s', async (_name, form) => {
    await fc.assert(
      fc.asyncProperty(secrets, fc.constantFrom(...PLACES), fillers, async (secret, place, filler) => {
        service.checksSignatures = false;
        service.answer(() => place(`${filler}${form(secret)} end`));
        expectNoPart(await rejection(call(secret)));
      }),
      { numRuns: 60 },
    );
  });
});

it('many secrets are looked for in many texts without holding the process up', () => {
  const secrets = Array.from({ length: 20 }, (_, index) => `${index}+/`.repeat(20));
  const redact = redactor(secrets);
  // Time of this process alone, which load does not lengthen.
  const begun = process.cpuUsage();
  for (let text = 0; text < 1_000; text++) expect(redact(`${text}: ${secrets[text % 20]}`)).toBe(`${text}: [redacted]`);
  expect(process.cpuUsage(begun).user).toBeLessThan(1_000_000);
});

describe('taken out are, too,', () => {
  it('a signing secret of any characters, which the answer shows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 400 }).map(marked), async (secret) => {
        const headers = { 'x-echo': encodeURIComponent(secret) };
        service.answer(() => json({ data: { signing_secret: secret, id: { of: secret } } }, 200, headers));
        expectNoPart(await rejection(invoke(create, service.client())));
      }),
      { numRuns: 60 },
    );
  });

  it('secrets in the errors of a transport and their causes, and the password in the URL of a proxy', async () => {
    const fetch = async (_: unknown, init?: RequestInit) => {
      const text = `${new Headers(init?.headers).get('api-sign')} ${OTP} http://user:p@ssword@proxy.test:8080 end`;
      throw new Error(text, { cause: new TypeError(text, { cause: text }) });
    };
    const client = service.client({ transport: fetchTransport({ fetch: fetch as never }) });
    const error = await rejection(invoke(whitelist, client, {}, { otp: OTP }), ConnectionError);
    expectNoSecret(service, error, 'transport', ['user', 'p@ss', 'ssword']);
    expect(error.cause).toMatchObject({ message: '[redacted] [redacted] http://[redacted]@proxy.test:8080 end' });
  });

  it('20 signing secrets of one answer, and no more', async () => {
    const causes = Array.from({ length: 21 }, (_, place) => ({ signing_secret: `signing-secret-of-${place}-` }));
    service.answer(() => failure(409, 'conflict', { causes }));
    const error = (await rejection(invoke(create, service.client()))) as ApiError;
    expect(JSON.stringify(error.causes).match(/signing-secret/g)).toHaveLength(1);
  });

  it('secrets in names of members and headers, in errors and in the response of a success', async () => {
    const named = (status: number) => json(whitelist.answer, status, { [OTP]: 'x', 'x-otp': OTP });
    service.answer(() => named(502));
    const refused = (await rejection(invoke(whitelist, service.client(), {}, { otp: OTP }))) as ApiError;
    expect(refused.response.headers).toMatchObject({ '[redacted]': 'x', 'x-otp': '[redacted]' });
    service.answer(() => named(200));
    const call = service.client().accounts.wallets.whitelist('ACCOUNT-OF-TESTS', whitelist.body as never, { otp: OTP });
    const { response } = await call.withResponse();
    expectNoSecret(service, response, 'headers of a response');
    expect(response.headers).toMatchObject({ '[redacted]': 'x', 'x-otp': '[redacted]' });
  });
});

describe('a text that looks like an escape', () => {
  it('is kept as it came', async () => {
    const text = '100% of C:\\users\\new & %zz &unknown; \\u12 %C3';
    service.answer(() => new Response(text, { status: 502 }));
    expect(await rejection(invoke(whitelist, service.client()))).toMatchObject({ body: text });
  });
});
