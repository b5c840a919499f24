import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../../src/sandbox/index.js';
import { signature } from '../../support/signature.js';
import { DirectPartner, directSandbox } from '../support/direct-partner.js';
import { expectNoName, sendSigned } from './support/send-signed.js';
import { WRONG_SIGNINGS } from './support/wrong-signings.js';

const path = '/v1/webhooks?page_size=2';
const likelyOf = ({ sandbox }: DirectPartner) => sandbox.journal.at(-1)?.likely;

describe('a wrong signature is named', () => {
  const sandbox = createSandbox();

  test.each(WRONG_SIGNINGS)('$name', async (wrong) => {
    const { status, body, entry } = await sendSigned(sandbox, wrong);
    expect([status, entry?.verdict]).toEqual([401, 'bad_signature']);
    const { likely } = wrong;
    expect(entry?.likely).toEqual(typeof likely === 'string' ? likely : expect.stringMatching(likely));
    // The answer tells nothing, unless the sandbox was asked to.
    expect(body.error.causes).toBeUndefined();
    expect(entry?.causes).toEqual([]);
  });

  test('of the previous request, and of the nonce of the previous one', async () => {
    const partner = directSandbox();
    const { 'API-Sign': sign = '', 'API-Nonce': nonce = '' } = partner.signed({
      method: 'GET',
      path,
      nonce: 7n,
    }).headers;
    expect((await partner.call({ method: 'GET', path, nonce })).status).toBe(200);
    await partner.call({ method: 'GET', path, nonce: 500n, headers: { 'API-Sign': sign } });
    expect(likelyOf(partner)).toBe('you sent the API-Sign of the previous request');
    await partner.call({ method: 'GET', path, nonce: 600n });
    const other = signature(partner.credentials.apiSecret, '/v1/webhooks', '600');
    await partner.call({ method: 'GET', path: '/v1/webhooks', nonce: 900n, headers: { 'API-Sign': other } });
    expect(likelyOf(partner)).toBe('you signed with the nonce of the previous request');
  });

  test('with the secret of another key, and with one that was replaced', async () => {
    const partner = directSandbox();
    const { sandbox, url, credentials } = partner;
    const second = sandbox.keys.issue();
    const mixed = { apiKey: credentials.apiKey, apiSecret: second.apiSecret };
    await new DirectPartner(sandbox, url, mixed).get(path);
    expect(likelyOf(partner)).toBe(`you signed with the secret of another API key, ${second.apiKey}`);
    sandbox.keys.rotateSecret(credentials.apiKey);
    await partner.get(path);
    expect(likelyOf(partner)).toBe('you signed with the secret that was replaced');
  });

  test('with a header that is not signed', async () => {
    const partner = directSandbox();
    const key = '5f0c6a1e-3b7d-4c52-9a86-2d1e7f4b8c90';
    const sign = signature(partner.credentials.apiSecret, path, '5', key);
    await partner.call({ method: 'GET', path, nonce: 5n, headers: { 'API-Sign': sign, 'Idempotency-Key': key } });
    expect(likelyOf(partner)).toBe('you hashed the header idempotency-key, too');
  });
});

describe('no mistake is named', () => {
  test('for a secret that is wrong, whatever else is', async () => {
    await expectNoName(1);
  });

  test.each(['%%%', 'wrong', '=', 'a'.repeat(128), 'A'.repeat(88), 'x'.repeat(8_000), '{"a":1}', '../../etc/passwd'])(
    'for the text %s',
    async (sign) => {
      const partner = directSandbox();
      expect((await partner.get(path, { 'API-Sign': sign })).status).toBe(401);
      expect([partner.sandbox.journal.at(-1)?.verdict, likelyOf(partner)]).toEqual(['bad_signature', undefined]);
    },
  );

  test.each([
    ['no JSON', '{"a":'],
    ['very deep', '['.repeat(2_000) + ']'.repeat(2_000)],
    ['deep objects', `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`],
    [
      'many members',
      JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m${index}`, index]))),
    ],
    ['members of the prototype', '{"__proto__":{"a":1},"constructor":2,"toString":3}'],
    ['a megabyte', ' '.repeat(1_000_000)],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
    ['lone surrogates', '{"a":"\\ud800"}'],
  ])('for a body of %s', async (_, body) => {
    const partner = directSandbox();
    const sign = signature(randomBytes(64).toString('base64'), path, '5');
    await partner.call({ method: 'POST', path, body, nonce: 5n, headers: { 'API-Sign': sign } });
    expect([partner.sandbox.journal.at(-1)?.verdict, likelyOf(partner)]).toEqual(['bad_signature', undefined]);
  });

  test.each(['/v1/%', '/v1/%ff?%=%&&=', '/v1/x?', `/v1/x?${'a=1&'.repeat(3_000)}`, `/${'a'.repeat(12_000)}`])(
    'for the path %s',
    async (target) => {
      const partner = directSandbox();
      await partner.get(target, { 'API-Sign': 'A'.repeat(86).concat('==') });
      expect([partner.sandbox.journal.at(-1)?.verdict, likelyOf(partner)]).toEqual(['bad_signature', undefined]);
    },
  );
});

describe('with explain', () => {
  const partnerOf = (options: SandboxOptions = {}) => directSandbox({ explain: true, ...options });

  test('the answer names the mistake, and so does its entry', async () => {
    const { sandbox, credentials } = partnerOf();
    const wrong = WRONG_SIGNINGS.find(({ name }) => name === 'path without query');
    if (wrong === undefined) throw new Error('there is no such row');
    const { status, body, entry } = await sendSigned(sandbox, wrong);
    const causes = [{ field: 'API-Sign', message: 'you signed the path without its query' }];
    expect([status, body.error]).toEqual([
      401,
      expect.objectContaining({ code: 'unauthenticated', status: 401, causes }),
    ]);
    expect(entry?.causes).toEqual(causes);
    expect(JSON.stringify(body)).not.toContain(credentials.apiSecret);
  });

  test('the answer says that no usual mistake fits', async () => {
    const partner = partnerOf();
    const { body } = await partner.get(path, { 'API-Sign': 'A'.repeat(86).concat('==') });
    expect(body.error.causes).toEqual([
      {
        field: 'API-Sign',
        message: 'is not the signature of this request: check that the secret is that of this API key',
      },
    ]);
    expect(likelyOf(partner)).toBeUndefined();
  });

  test('a right request is answered as ever', async () => {
    const partner = partnerOf();
    expect((await partner.get(path)).status).toBe(200);
    expect(likelyOf(partner)).toBeUndefined();
  });

  test('it is true or false', () => {
    expect(() => createSandbox({ explain: 'yes' as never })).toThrow('createSandbox: explain must be true or false');
  });
});
