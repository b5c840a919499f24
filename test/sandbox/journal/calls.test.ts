import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { FailOptions, JournalEntry } from '../../../src/sandbox/index.js';
import { DirectPartner, directSandbox } from '../support/direct-partner.js';
import { bodies, PATIENCE, requestOf, type TestRequest } from '../support/partner.js';

const list = requestOf('GET /v1/webhooks');
const post = requestOf('POST /v1/webhooks', bodies.quote);

/** Sends a request, and returns its entry, whether or not there is an answer. */
async function sent(partner: DirectPartner, request: TestRequest): Promise<JournalEntry | undefined> {
  const { length } = partner.sandbox.journal;
  partner.send(request).catch(() => {});
  await expect.poll(() => partner.sandbox.journal.length, { ...PATIENCE, interval: 1 }).toBe(length + 1);
  return partner.sandbox.journal.at(-1);
}

/** Sends requests one after another, and returns the ids of their calls. */
async function callsOf(partner: DirectPartner, ...requests: readonly TestRequest[]): Promise<unknown[]> {
  const ids: unknown[] = [];
  for (const request of requests) ids.push((await sent(partner, request))?.callId);
  return ids;
}

/** A sandbox that fails its first requests. */
function failing(fault: FailOptions['fault'], times = 1): DirectPartner {
  const partner = directSandbox();
  partner.sandbox.fail({ fault, times });
  return partner;
}

const second = ({ sandbox, url }: DirectPartner) => new DirectPartner(sandbox, url, sandbox.keys.issue());

describe('the requests of one idempotency key', () => {
  const keyed = (key: string) =>
    requestOf(`POST /v1/users/headless`, { external_reference: 'ada' }, { 'Idempotency-Key': key });
  const key = randomUUID();

  test('are one call, in any letter case and after a success; another key is another call', async () => {
    const requests = [keyed(key), keyed(key.toUpperCase()), keyed(randomUUID()), keyed(key)];
    expect(await callsOf(failing(503), ...requests)).toEqual(['call_1', 'call_1', 'call_3', 'call_1']);
  });

  test.each([
    ['partner', 'call_1'],
    ['apiKey', 'call_2'],
  ] as const)('are shared as keys are: %s', async (idempotencyKeys, expected) => {
    const partner = directSandbox({ idempotencyKeys });
    await callsOf(partner, keyed(key));
    expect(await callsOf(second(partner), keyed(key))).toEqual([expected]);
  });

  test('are another call after a reset', async () => {
    const partner = directSandbox();
    const [first] = await callsOf(partner, keyed(key));
    partner.sandbox.reset();
    expect(await callsOf(partner, keyed(key))).not.toContain(first);
  });
});

describe('without a key, a request', () => {
  const FAILURES = [429, 503, 'html', 'reset', 'timeout', 'truncate'] as const;

  test.each(FAILURES)('continues equal ones that ended in %s, and no success', async (fault) => {
    const partner = failing(fault, 2);
    expect(await callsOf(partner, list, list, list, list)).toEqual(['call_1', 'call_1', 'call_1', 'call_4']);
    const reason = `${fault} was asked for by a fault`;
    expect(partner.sandbox.journal.map((entry) => entry.reason)).toEqual([reason, reason, undefined, undefined]);
  });

  test('continues one that lost a race of nonces', async () => {
    const early = { ...list, nonce: 1n };
    const partner = directSandbox();
    expect(await callsOf(partner, requestOf('GET /v1/assets'), early, list)).toEqual(['call_1', 'call_2', 'call_2']);
  });

  test.each([200, 400, 401, 409])('does not continue one that ended in %i', async (fault) => {
    expect(await callsOf(failing(fault), list, list)).toEqual(['call_1', 'call_2']);
  });

  test.each([
    ['another body', requestOf('POST /v1/webhooks', bodies.wallet)],
    ['another path', requestOf('GET /v1/assets')],
    ['another query', requestOf('GET /v1/webhooks?page_size=1')],
    ['an idempotency key', requestOf('GET /v1/webhooks', undefined, { 'Idempotency-Key': randomUUID() })],
  ])('with %s is apart', async (_, other) => {
    expect(await callsOf(failing(503, 2), post, list, other)).toEqual(['call_1', 'call_2', 'call_3']);
  });

  test.each([
    [29, 'call_1'],
    [31, 'call_2'],
  ])('%i s after the failure belongs to %s', async (seconds, expected) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const partner = failing(503);
    await callsOf(partner, list);
    vi.advanceTimersByTime(seconds * 1_000);
    expect(await callsOf(partner, list)).toEqual([expected]);
  });

  test.each([1, 2])(
    'is apart from equal ones in flight of which %i fail, and in doubt so are retries',
    async (times) => {
      const partner = failing(503, times);
      await Promise.all([partner.send(list), partner.send(list)]);
      expect(partner.sandbox.journal.map(({ callId }) => callId)).toEqual(['call_1', 'call_2']);
      expect(await callsOf(partner, list, list)).toEqual(['call_3', 'call_4']);
    },
  );

  test('that the sandbox itself sends is apart', async () => {
    const { sandbox } = failing(503);
    for (let index = 0; index < 2; index += 1) await sandbox.requests.send({ method: 'GET', path: '/v1/webhooks' });
    expect(sandbox.journal.map(({ callId }) => callId)).toEqual(['call_1', 'call_2']);
  });

  test('never joins the call of another API key', async () => {
    const step = fc.tuple(fc.nat(2), fc.boolean(), fc.constantFrom(undefined, 503, 429, 'reset' as const));
    const property = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
      const first = directSandbox();
      const partners = [first, second(first), second(first)];
      for (const [who, isList, fault] of steps) {
        if (fault !== undefined) first.sandbox.fail({ fault });
        await callsOf(partners[who] ?? first, isList ? list : requestOf('GET /v1/assets'));
      }
      const ownerOf = new Map(first.sandbox.journal.map(({ callId, apiKey }) => [callId, apiKey]));
      for (const { callId, apiKey } of first.sandbox.journal) expect(ownerOf.get(callId)).toBe(apiKey);
    });
    await fc.assert(property, { numRuns: 25 });
  });
});

describe('the reason', () => {
  const partner = directSandbox();
  const { account } = partner;
  const key = randomUUID();
  const rich = { from: { asset: { symbol: 'USD', amount: '99999999' } }, to: { tag: 'x' } };
  const ABOVE = 'from.asset.amount is more than is available';
  const quote = (body: object) => requestOf(`POST ${account}/quotes`, body, { 'Idempotency-Key': key });

  test.each([
    ['a success', list, undefined],
    ['a reused nonce', { ...list, nonce: 1_700_000_000_000_000_001n }, 'you used the nonce of the last request again'],
    ['no signature', { ...list, headers: { 'API-Sign': undefined } }, 'you sent no API-Sign'],
    ['a wrong signature', { ...list, headers: { 'API-Sign': 'no' } }, 'bad signature'],
    ['an unknown path', requestOf('GET /v1/nowhere'), 'path is not one of the API'],
    ['an amount above the balance', requestOf(`POST ${account}/transfers`, rich), ABOVE],
    ['an unknown quote', requestOf(`POST ${account}/quotes/${randomUUID()}/execute`), 'quote_id does not exist'],
    ['the first use of a key', quote(bodies.quote), undefined],
    ['a reused key', quote({ ...bodies.quote, fee: { bps: 7 } }), 'another request had the key'],
  ] as const)('of %s is a short phrase', async (_, request, expected) => {
    expect((await sent(partner, request as TestRequest))?.reason).toBe(expected);
  });
});
