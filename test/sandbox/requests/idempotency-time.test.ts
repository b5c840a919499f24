import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { bitcoinAddress } from '../support/addresses.js';
import { DirectPartner, directSandbox } from '../support/direct-partner.js';
import {
  bodies,
  openSandbox,
  Partner,
  requestOf,
  type TestAnswer,
  type TestRequest,
  whitelisting,
} from '../support/partner.js';

const DAY = 24 * 3_600_000;

/** A partner whose first request is judged, and not yet answered. */
async function busy(delayMs: number) {
  const partner = await openSandbox({ troubles: [{ does: { delayMs } }] });
  const key = randomUUID();
  const first = partner.call(whitelisting(partner, keyed(key)));
  await expect.poll(() => partner.sandbox.journal.length, { interval: 1 }).toBe(1);
  return { partner, key, first };
}

const keyed = (key: string) => ({ 'Idempotency-Key': key });
const isReplay = ({ headers }: TestAnswer) => headers.get('idempotent-replayed') === 'true';

describe('while the first request is still on its way', () => {
  test('the same one gets the answer of the first, marked, and has no effect', async () => {
    const { partner, key, first } = await busy(150);
    const other = new Partner(partner.sandbox, partner.url, partner.sandbox.keys.issue());
    const second = other.call(whitelisting(other, keyed(key)));
    const [one, two] = await Promise.all([first, second]);
    expect([isReplay(one), isReplay(two)]).toEqual([false, true]);
    expect(two.body).toEqual(one.body);
    expect(partner.sandbox.wallets.list()).toHaveLength(1);
  });

  test('another request with its key is a conflict, and the first goes its way', async () => {
    const { partner, key, first } = await busy(100);
    const body = { ...bodies.wallet, address: bitcoinAddress(1) };
    const wrong = await partner.call({ ...whitelisting(partner, keyed(key)), body });
    expect(wrong.status).toBe(409);
    expect((await first).status).toBe(200);
    expect(partner.sandbox.wallets.list()).toHaveLength(1);
  });

  test('of many at once through several API keys exactly one has an effect', async () => {
    const partner = await openSandbox({ troubles: [{ does: { delayMs: [0, 20] } }] });
    const key = randomUUID();
    const { sandbox, url } = partner;
    const partners = Array.from({ length: 5 }, () => new Partner(sandbox, url, sandbox.keys.issue()));
    const calls = partners.map(async (one) => [
      await one.call(whitelisting(one, keyed(key))),
      await one.call(whitelisting(one, keyed(key.toUpperCase()))),
    ]);
    const answers = (await Promise.all(calls)).flat();
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(sandbox.wallets.list()).toHaveLength(1);
  });
});

describe('a key', () => {
  test.each([
    ['as it was', (key: string) => key],
    ['in the other case', (key: string) => key.toUpperCase()],
  ])('is remembered to the last millisecond of 24 hours, and no longer: %s', async (_, spelt) => {
    const partner = directSandbox();
    const other = new DirectPartner(partner.sandbox, partner.url, partner.sandbox.keys.issue());
    const key = randomUUID();
    const first = await partner.call(whitelisting(partner, keyed(key)));
    partner.sandbox.advance(DAY - 1);
    const replay = await other.call(whitelisting(other, keyed(spelt(key))));
    expect([replay.status, isReplay(replay), replay.body]).toEqual([200, true, first.body]);
    partner.sandbox.advance(1);
    const fresh = await partner.call(whitelisting(partner, keyed(spelt(key))));
    expect([fresh.status, isReplay(fresh)]).toEqual([200, false]);
    expect(fresh.body.data.id).not.toBe(first.body.data.id);
    // From here on it is the new one that is remembered, for another 24 hours; replays have not made the first last longer.
    partner.sandbox.advance(DAY - 1);
    expect((await partner.call(whitelisting(partner, keyed(key)))).body).toEqual(fresh.body);
    partner.sandbox.advance(1);
    expect(isReplay(await partner.call(whitelisting(partner, keyed(key))))).toBe(false);
  });

  test('is free for another request once it is forgotten', async () => {
    const partner = directSandbox();
    const key = randomUUID();
    await partner.call(whitelisting(partner, keyed(key)));
    const other = () => partner.post(`${partner.account}/quotes`, bodies.quote, keyed(key));
    partner.sandbox.advance(DAY - 1);
    expect((await other()).status).toBe(409);
    partner.sandbox.advance(1);
    expect((await other()).status).toBe(200);
  });

  test('gives the answer that there was, not what has become of it since', async () => {
    const partner = directSandbox();
    const key = keyed(randomUUID());
    const path = `${partner.account}/quotes/${partner.sandbox.fixtures.quoteId}/execute`;
    expect((await partner.post(path, undefined, key)).body.data.status).toBe('executing');
    partner.sandbox.advance(3_600_000);
    const replay = await partner.post(path, undefined, key);
    expect([replay.status, isReplay(replay), replay.body.data.status]).toEqual([200, true, 'executing']);
    expect((await partner.post(path, undefined, keyed(randomUUID()))).status).toBe(409);
  });
});

const CONFLICT = { type: 'state_error', code: 'conflict', causes: [{ field: 'Idempotency-Key' }] };
const secondary = ({ sandbox }: Partner) => `/v1/accounts/${sandbox.fixtures.secondaryAccountId}`;
const save = ({ account, sandbox }: Partner, key = 'one') =>
  requestOf(`POST ${account}/funds/withdrawals/addresses`, bodies.address(sandbox.fixtures.methodId, key));
const rename = ({ account }: Partner, key: string, new_key: string) =>
  requestOf(`PATCH ${account}/funds/withdrawals/addresses/${key}`, { new_key });

describe('another request under the same key is a conflict', () => {
  test.each<[string, (partner: Partner) => TestRequest]>([
    ['body', (partner) => save(partner, 'two')],
    ['member', (partner) => ({ ...save(partner), body: { ...(save(partner).body as object), memo: 'm' } })],
    ['account', (partner) => ({ ...save(partner), path: `${secondary(partner)}/funds/withdrawals/addresses` })],
    ['operation', ({ account }) => requestOf(`POST ${account}/quotes`, bodies.quote)],
    ['method', (partner) => rename(partner, 'one', 'two')],
  ])('of another %s, and does not take the key from the first', async (_, another) => {
    const partner = directSandbox();
    const headers = keyed(randomUUID());
    const first = await partner.call({ ...save(partner), headers });
    expect(first.status).toBe(200);
    const before = partner.sandbox.snapshot();
    const answer = await partner.call({ ...another(partner), headers });
    expect([answer.status, answer.body.error, isReplay(answer)]).toMatchObject([409, CONFLICT, false]);
    expect(partner.sandbox.journal.at(-1)?.verdict).toBe('key_reused');
    for (const part of ['accounts', 'idempotency']) expect(partner.sandbox.snapshot()[part]).toEqual(before[part]);
    const again = await partner.call({ ...save(partner), headers });
    expect([again.status, isReplay(again)]).toEqual([200, true]);
  });
});

describe('a refusal', () => {
  /** A request that is refused, and what lets it through. */
  interface Scene {
    readonly request: TestRequest;
    readonly mend: () => unknown;
  }

  test.each<[number, (partner: DirectPartner) => Scene]>([
    [404, (partner) => ({ request: rename(partner, 'none', 'new'), mend: () => partner.call(save(partner, 'none')) })],
    [
      409,
      (partner) => ({
        request: save(partner, partner.sandbox.fixtures.withdrawalAddressKey),
        mend: () => partner.call(rename(partner, partner.sandbox.fixtures.withdrawalAddressKey, 'elsewhere')),
      }),
    ],
  ])(
    'by the state of things (%s) leaves the key free, and succeeds under it once its cause is gone',
    async (status, make) => {
      const partner = directSandbox();
      const { request, mend } = make(partner);
      const call = () => partner.call({ ...request, headers });
      const headers = keyed(randomUUID());
      const first = await call();
      const second = await call();
      expect([first.status, second.status, isReplay(second)]).toEqual([status, status, false]);
      expect(partner.sandbox.idempotency.list()).toEqual([]);
      await mend();
      const mended = await call();
      expect([mended.status, isReplay(mended)]).toEqual([200, false]);
      const replay = await call();
      expect([replay.body, isReplay(replay)]).toEqual([mended.body, true]);
    },
  );

  test('because its quote has expired (410) leaves the key free', async () => {
    const partner = directSandbox();
    const headers = keyed(randomUUID());
    const quote = await partner.post(`${partner.account}/quotes`, bodies.quote);
    partner.sandbox.advance(DAY);
    const late = await partner.post(`${partner.account}/quotes/${quote.body.data.id}/execute`, undefined, headers);
    const other = await partner.post(`${partner.account}/quotes`, bodies.quote, headers);
    expect([late.status, other.status]).toEqual([410, 200]);
  });

  const elsewhere = ({ account, sandbox }: Partner, path: string) =>
    path.replace(account, `/v1/accounts/${sandbox.fixtures.foreignAccountId}`);
  const headersWith = ({ headers }: TestRequest, more: object) => ({ headers: { ...headers, ...more } });

  test.each<[string, (request: TestRequest, partner: DirectPartner) => Partial<TestRequest>]>([
    ['a wrong input (400)', () => ({ body: { ...bodies.wallet, via: 'pigeon' } })],
    ['a missing one-time password (401)', (request) => headersWith(request, { 'API-Otp': undefined })],
    ['a wrong signature (401)', (request) => headersWith(request, { 'API-Sign': 'x' })],
    ['an account of somebody else (403)', ({ path }, partner) => ({ path: elsewhere(partner, path) })],
    ['a failure before the effect (503)', (_, partner) => failing(partner, 503)],
    ['a failure before the effect (500)', (_, partner) => failing(partner, 500)],
    ['a rate limit (429)', (_, partner) => failing(partner, 429)],
  ])('that is %s leaves the key free', async (_, spoilt) => {
    const partner = directSandbox();
    const request = whitelisting(partner, keyed(randomUUID()));
    const refused = await partner.call({ ...request, ...spoilt(request, partner) });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(partner.sandbox.wallets.list()).toHaveLength(0);
    const answer = await partner.call(request);
    expect([answer.status, isReplay(answer)]).toEqual([200, false]);
  });

  const failing = (partner: DirectPartner, fault: number) => {
    partner.sandbox.fail({ fault, when: 'before' });
    return {};
  };
});
