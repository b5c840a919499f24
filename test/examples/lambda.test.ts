import { createSandbox } from 'partner-sdk/sandbox';
import { signWebhook } from 'partner-sdk/webhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';

const secret = 'dGhlIHNlY3JldCBvZiB0aGUgd2ViaG9vaw==';
const delivery = '{"id":"evt-1","type":"quote.executed","data":{"id":"Q-1","status":"exécuté"}}';

/** What API Gateway sends for an HTTP API, and Lambda for a function URL. */
const httpEvent = (headers: Record<string, string>, body: string, isBase64Encoded: boolean, method = 'POST') => ({
  version: '2.0',
  routeKey: '$default',
  rawPath: '/webhooks/partner',
  rawQueryString: '',
  headers: { 'content-type': 'application/json', host: 'abc.lambda-url.eu-west-1.on.aws', ...headers },
  requestContext: {
    accountId: '123456789012',
    apiId: 'abc',
    domainName: 'abc.lambda-url.eu-west-1.on.aws',
    domainPrefix: 'abc',
    http: { method, path: '/webhooks/partner', protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'service' },
    requestId: '9b1f',
    routeKey: '$default',
    stage: '$default',
    time: '15/Jan/2026:10:00:00 +0000',
    timeEpoch: 1_768_471_200_000,
  },
  ...(method === 'POST' && { body }),
  isBase64Encoded,
});

const lowerCase = (headers: object) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it('the function for webhooks verifies the bytes, also of a body in base64, and handles an event once', async () => {
  vi.stubEnv('PARTNER_WEBHOOK_SECRET', secret);
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { handler } = await import('../../examples/lambda/webhook.js');
  const headers = lowerCase(signWebhook({ body: delivery, secret }));
  const base64 = Buffer.from(delivery).toString('base64');
  const ok = { statusCode: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ok' };
  expect(await handler(httpEvent(headers, base64, true))).toEqual(ok);
  expect(await handler(httpEvent(headers, delivery, false))).toEqual(ok);
  expect(log.mock.calls).toEqual([['settled', 'Q-1', expect.any(String)]]);
  const forged = lowerCase(signWebhook({ body: delivery, secret: Buffer.alloc(32).toString('base64') }));
  expect(await handler(httpEvent(forged, base64, true))).toMatchObject({ statusCode: 400, body: 'bad_signature' });
  expect(await handler(httpEvent({}, '', false, 'GET'))).toMatchObject({ statusCode: 405, headers: { allow: 'POST' } });
});

describe('the function for payouts', () => {
  it('leaves in the queue what is unknown, and pays it once when the message comes again', async () => {
    const sandbox = createSandbox({ seed: 1, realTime: true });
    const { url } = await sandbox.listen();
    const { apiKey, apiSecret } = sandbox.credentials;
    const { accountId, withdrawalAddressKey: key } = sandbox.fixtures;
    const given = { BASE_URL: url, API_KEY: apiKey, API_SECRET: apiSecret, ACCOUNT_ID: accountId };
    for (const [name, value] of Object.entries(given)) vi.stubEnv(`PARTNER_${name}`, value);
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.spyOn(console, 'log').mockImplementation(() => {});
    const { handler } = await import('../../examples/lambda/payouts.js');
    const invoke = (ids: readonly string[], count: string, more: object = {}, milliseconds = 10_000) => {
      const end = Date.now() + milliseconds;
      const created = new Date().toISOString();
      const bodyOf = (id: string) =>
        id === 'broken' ? '{' : JSON.stringify({ id, created, asset_symbol: 'BTC', key, amount: '0.001', ...more });
      const Records = ids.map((id) => ({
        messageId: `m-${id}`,
        receiptHandle: 'AQEB',
        body: bodyOf(id),
        attributes: { ApproximateReceiveCount: count, SentTimestamp: String(Date.now()) },
        messageAttributes: {},
        eventSource: 'aws:sqs',
      }));
      return handler({ Records }, { getRemainingTimeInMillis: () => end - Date.now() });
    };
    const open = (...ids: string[]) => ({ batchItemFailures: ids.map((id) => ({ itemIdentifier: `m-${id}` })) });

    expect(await invoke(['a', 'b'], '1')).toEqual(open());
    const end = sandbox.fail({ operation: 'funds.withdrawals.create', fault: 'reset', when: 'after', times: 'always' });
    expect(await invoke(['c'], '1', {}, 3_500)).toEqual(open('c'));
    end();
    expect(await invoke(['c'], '2')).toEqual(open());
    expect(await invoke(['d'], '1', { amount: '1000000' })).toEqual(open()); // rejected: nobody has to try again
    expect(await invoke(['e'], '2', { amount: '1000000' })).toEqual(open('e')); // unclear: an earlier one may be paid
    expect(await invoke(['f'], '1', { created: '2020-01-01T00:00:00Z' })).toEqual(open('f'));
    expect(await invoke(['g'], '1', {}, 1_000)).toEqual(open('g')); // no time
    sandbox.fail({ operation: 'funds.withdrawals.create', fault: 404 }); // as for a wrong account
    expect(await invoke(['h'], '1')).toEqual(open('h'));
    expect(await invoke(['i'], '1', { key: 'nobody' })).toEqual(open()); // rejected
    // Out of the dead-letter queue, as a new message: an earlier one may be paid.
    const earlier = new Date(Date.now() - 3_600_000).toISOString();
    expect(await invoke(['k'], '1', { created: earlier, amount: '1000000' })).toEqual(open('k'));
    expect(await invoke(['l'], '1', { created: '2120-01-01T00:00:00Z' })).toEqual(open('l'));
    expect(await invoke(['broken', 'j'], '1')).toEqual(open('broken'));
    expect(await invoke(['m', 'n'], '1', { id: 17 })).toEqual(open('m', 'n')); // nobody would know what was deleted
    const told = error.mock.calls.map(([line]) => JSON.parse(String(line)));
    const results = [
      'c open',
      'd rejected',
      'e unclear',
      'f unclear',
      'h open',
      'i rejected',
      'k unclear',
      'l unclear',
    ];
    const unreadable = ['m-broken open', 'm-m open', 'm-n open'];
    expect(told.map(({ id, result }) => `${id} ${result}`)).toEqual([...results, ...unreadable]);
    const made = sandbox.journal.filter(({ verdict }) => verdict === 'accepted' || verdict === 'fault_after');
    expect(new Set(made.map(({ key }) => key)).size).toBe(4);
    expect(sandbox.journal.filter(({ verdict }) => verdict === 'accepted')).toHaveLength(3);
    await sandbox.close();
  });
});
