import { describe, expect, it } from 'vitest';
import type { PartnerClient } from '../../../src/index.js';
import { recorder } from '../../calls/support/recorder.js';
import { ACCOUNT, invoke, OPERATIONS, operation } from '../support/operations.js';
import { servePages } from '../support/pages.js';
import { privateBody as body, expectNoSecret, PRIVATE } from '../support/secrets.js';
import { API_SECRET, failure, json, OTP, rejection, startService } from '../support/service.js';

const service = startService();
const whitelist = operation('accounts.wallets.whitelist');
/** The client and everything that hangs on it. */
function tree(value: object, path = 'client', seen = new Map<object, string>()): Map<object, string> {
  if (seen.has(value)) return seen;
  seen.set(value, path);
  for (const [name, member] of Object.entries(value))
    if (typeof member === 'object' && member !== null) tree(member, `${path}.${name}`, seen);
  return seen;
}

describe('nothing shows a secret, a signature, an OTP or a body', () => {
  const used = async (): Promise<PartnerClient> => {
    const client = service.client({ otp: OTP });
    service.answerJson(whitelist.answer);
    await invoke(whitelist, client, { body });
    return client;
  };

  it('a client and each of its resources, after a call', async () => {
    const client = await used();
    const parts = tree(client);
    expect([...parts.values()]).toEqual(
      expect.arrayContaining(['client.users', 'client.accounts.wallets', 'client.funds.addresses']),
    );
    for (const [part, path] of parts) expectNoSecret(service, part, path);
    expectNoSecret(service, client.stats(), 'stats()');
    expectNoSecret(service, client.withOptions({ timeout: 5_000 }), 'withOptions()');
    expectNoSecret(service, { ...client }, 'spread client');
  });

  it('a client given its secret by a function, or several credentials', async () => {
    service.answerJson(whitelist.answer);
    for (const options of [
      { apiKey: 'pk-of-the-resource-tests', apiSecret: async () => API_SECRET },
      {
        apiKey: undefined,
        apiSecret: undefined,
        credentials: [{ apiKey: 'pk-of-the-resource-tests', apiSecret: API_SECRET }],
      },
    ]) {
      const client = service.client(options);
      await invoke(whitelist, client, { body });
      for (const [part, path] of tree(client)) expectNoSecret(service, part, path);
    }
  });

  it('the promise of a call under way and done, its result, and its response', async () => {
    const client = await used();
    const call = client.accounts.wallets.whitelist(ACCOUNT, { ...body }, { otp: OTP });
    expectNoSecret(service, call, 'promise under way');
    const whole = await call.withResponse();
    expectNoSecret(service, call, 'promise done');
    expectNoSecret(service, whole.response, 'response');
    // The service's answer shows the address itself: that is data, and here it is another one.
    expectNoSecret(service, whole, 'with response');
  });

  it('a list and its pages', async () => {
    servePages(service, [1, 1]);
    const list = service.client().webhooks.list({}, { otp: OTP, prefetch: true });
    expectNoSecret(service, list, 'list');
    expectNoSecret(service, list[Symbol.asyncIterator](), 'iterator');
    expectNoSecret(service, list.pages(), 'pages');
    const page = await list;
    expectNoSecret(service, page, 'page');
    expectNoSecret(service, page.response, 'page.response');
    expectNoSecret(service, await page.nextPage(), 'next page');
    expect(JSON.parse(JSON.stringify(page))).toMatchObject({ nextPageToken: 'page 1' });
  });

  it.each(['reads', 'lists', 'requests'])('%s: an error of a refused input', async (kind) => {
    const client = service.client({ otp: OTP });
    const refused = {
      reads: () => invoke(whitelist, client, { body: { ...body, via: '' } }),
      lists: () => client.webhooks.list({ page_token: PRIVATE.repeat(20) }),
      requests: () => client.request({ method: 'POST', path: 'no slash', body }),
    }[kind];
    expectNoSecret(service, await rejection(refused as () => PromiseLike<unknown>), kind);
  });
});

/** The members that `CallEvent` and its kin document. */
const CALL = ['callId', 'operation', 'method', 'path', 'idempotencyKey', 'origin'];
const FIELDS = {
  onStart: CALL,
  onRequest: [...CALL, 'attempt', 'queueTime', 'laneTime'],
  onResponse: [...CALL, 'attempt', 'queueTime', 'laneTime', 'status', 'durationMs', 'replayed'],
  onAttemptEnd: [...CALL, 'attempt', 'sent', 'status', 'reason', 'queueTime', 'laneTime', 'durationMs'],
  onRetry: [...CALL, 'attempt', 'reason', 'status', 'code', 'delayMs'],
  onError: [...CALL, 'error', 'outcome', 'attempts', 'durationMs'],
  onEnd: [...CALL, 'outcome', 'attempts', 'queueTime', 'durationMs', 'error'],
} as const;
type Hook = keyof typeof FIELDS;

describe('hooks and logger', () => {
  it.each(OPERATIONS)('$name: see the documented members, the path template, and nothing of the input', async (op) => {
    // A 503 is repeated where repeating is safe, a 404 ends the call.
    service.answer((_, index) => (index === 0 ? failure(503, 'unavailable') : failure(404, 'not_found')));
    const { told, lines, hooks, logger } = recorder();
    await rejection(invoke(op, service.client({ hooks, logger, maxRetries: 1, maxRetryAfter: 0 })));
    expect(told.map(({ name }) => name)).toContain('onError');
    for (const { name, event } of told) {
      expect(Object.keys(event).sort()).toEqual([...FIELDS[name as Hook]].sort());
      expect(event).toMatchObject({ operation: op.name, method: op.method, path: op.template });
    }
    const shown = JSON.stringify([told, lines]);
    const texts = [...op.ids, ...Object.values(op.query ?? {}), ...Object.values(op.body ?? {})];
    for (const text of texts)
      if (typeof text === 'string' && text.length > 6 && !op.name.includes(text)) expect(shown).not.toContain(text);
    // The begin and end of a call and the end of an attempt are for hooks alone; a failure has its own line.
    const silent = ['onStart', 'onAttemptEnd', 'onEnd'];
    expect(lines).toHaveLength(told.filter(({ name }) => !silent.includes(name)).length);
  });

  it('tell the truth about a replayed answer, its attempts and its time', async () => {
    const execute = operation('accounts.quotes.execute');
    service.answer((_, index) =>
      index === 0 ? failure(503, 'unavailable') : json(execute.answer, 200, { 'idempotent-replayed': 'true' }),
    );
    const { told, hooks } = recorder();
    await invoke(execute, service.client({ hooks, maxRetries: 1 }));
    const key = service.received[0]?.headers['idempotency-key'];
    expect(
      told.map(({ name, event: { attempt, status, reason, code, replayed } }) => [
        ...[name, attempt, status, reason, code, replayed],
      ]),
    ).toEqual([
      ['onStart', undefined, undefined, undefined, undefined, undefined],
      ['onRequest', 1, undefined, undefined, undefined, undefined],
      ['onResponse', 1, 503, undefined, undefined, false],
      ['onAttemptEnd', 1, 503, 'status', undefined, undefined],
      ['onRetry', 1, 503, 'status', 'unavailable', undefined],
      ['onRequest', 2, undefined, undefined, undefined, undefined],
      ['onResponse', 2, 200, undefined, undefined, true],
      ['onAttemptEnd', 2, 200, undefined, undefined, undefined],
      ['onEnd', undefined, undefined, undefined, undefined, undefined],
    ]);
    for (const { event } of told) expect(event['idempotencyKey']).toBe(key);
    for (const { name, event } of told)
      if (name === 'onResponse') expect(event['durationMs']).toSatisfy((ms: number) => ms >= 0 && ms < 5_000);
  });
});
