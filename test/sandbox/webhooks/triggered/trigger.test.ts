import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { safeParse } from 'zod/mini';
import { listOnDemandConversions } from '../../../../src/resources/accounts/on-demand-conversions.js';
import { getPriceTriggerSwap } from '../../../../src/resources/accounts/price-trigger-swaps.js';
import { getQuote } from '../../../../src/resources/accounts/quote.js';
import { whitelistWallet } from '../../../../src/resources/accounts/wallets.js';
import { getConversion } from '../../../../src/resources/conversions.js';
import { getTransfer } from '../../../../src/resources/transfers.js';
import { WEBHOOK_KINDS } from '../../../../src/resources/webhook-kinds.js';
import { answered } from '../../../../src/sandbox/core/records/saved-values.js';
import { createSandbox, type Delivery, type Sandbox } from '../../../../src/sandbox/index.js';
import type { Operation } from '../../../../src/schema/operation.js';
import { verifyWebhook } from '../../../../src/webhooks/index.js';
import { NOWHERE } from '../support/sending.js';

let sandbox: Sandbox;
let got: Request[] = [];
let secret: string;
let webhookId: string;

beforeAll(() => {
  sandbox = createSandbox({
    deliver: (request) => {
      got.push(request.clone());
      return new Response(null, { status: 204 });
    },
  });
});
afterAll(() => sandbox.close());
beforeEach(() => {
  got = [];
  for (const { id, receives } of sandbox.webhooks.list()) if (receives) sandbox.webhooks.remove(id);
  const { id, signing_secret } = sandbox.webhooks.register({ url: NOWHERE });
  webhookId = id;
  secret = signing_secret;
});

/** The payload of one event, as a receiver of the package reads it. */
async function triggered(...args: Parameters<Sandbox['webhooks']['trigger']>) {
  await sandbox.webhooks.trigger(...args);
  const request = got.at(-1);
  const event = verifyWebhook({
    body: await (request as Request).text(),
    headers: (request as Request).headers,
    secret,
  });
  return { event, data: event.data as Record<string, unknown> };
}

describe.each(WEBHOOK_KINDS)('an event %s', (kind) => {
  test('is delivered at once, signed, with a payload in the form of the service', async () => {
    const [delivery] = await sandbox.webhooks.trigger(kind);
    expect(delivery).toMatchObject({ type: kind, webhookId, status: 'delivered', attempts: [{ status: 204 }] });
    const { event, data } = await triggered(kind);
    expect(event.type).toBe(kind);
    expect(Object.keys(data).length).toBeGreaterThan(0);
    const schema = SCHEMAS[kind];
    if (schema !== undefined) expect(safeParse(schema, data)).toMatchObject({ success: true });
    if (!UNSTATED.includes(kind)) expect(data['status']).toBe(STATUSES[kind]);
  });
});

const wire = (operation: Operation): z.core.$ZodType => answered(operation, ['data']);
const onDemand = answered(listOnDemandConversions, ['data', 0]);

const SCHEMAS: Readonly<Record<string, z.core.$ZodType>> = {
  'quote.executed': wire(getQuote),
  'conversion.withdrawal_completed': onDemand,
  'conversion.quote_execution_failed': onDemand,
  'wallet.whitelisted': wire(whitelistWallet),
  'price_trigger_swap.executed': wire(getPriceTriggerSwap),
  'price_trigger_swap.execution_failed': wire(getPriceTriggerSwap),
  'price_trigger_swap.cancelled': wire(getPriceTriggerSwap),
  'transfer.completed': wire(getTransfer),
  'transfer.failed': wire(getTransfer),
  'swap.completed': wire(getConversion),
  'swap.failed': wire(getConversion),
};

/** Kinds whose payload has no state. */
const UNSTATED: readonly string[] = ['webhook.test'];

const STATUSES: Readonly<Record<string, string>> = {
  'quote.executed': 'executed',
  'conversion.withdrawal_completed': 'completed',
  'conversion.quote_execution_failed': 'failed',
  'wallet.whitelisted': 'approved',
  'deposit.status_updated': 'received',
  'deposit.completed': 'credited',
  'withdrawal.status_updated': 'held',
  'withdrawal.completed': 'success',
  'withdrawal.failed': 'failure',
  'price_trigger_swap.executed': 'completed',
  'price_trigger_swap.execution_failed': 'active',
  'price_trigger_swap.cancelled': 'cancelled',
  'transfer.completed': 'completed',
  'transfer.failed': 'failed',
  'swap.completed': 'completed',
  'swap.failed': 'failed',
};

test('a payload is that of the newest record, and changes nothing of it', async () => {
  const { quoteId } = sandbox.fixtures;
  const { data } = await triggered('quote.executed', { id: 'another' });
  expect(data).toMatchObject({ id: 'another', status: 'executed' });
  expect((await triggered('quote.executed')).data['id']).toBe(quoteId);
  const saved = JSON.stringify(sandbox.snapshot()['accounts']);
  expect(saved).not.toContain('another');
  expect(saved).toContain('"status":"offered"');
});

test('overrides are merged deeply, replace lists, and take members away', async () => {
  const { data } = await triggered('transfer.completed', {
    from: { asset: { amount: '7' } },
    tags: ['a', { b: null }],
    to: undefined,
    ['__proto__x']: 1,
  });
  expect(data).toMatchObject({ from: { account: sandbox.fixtures.accountId, asset: { amount: '7', symbol: 'USD' } } });
  expect(data['tags']).toEqual(['a', { b: null }]);
  expect(data).not.toHaveProperty('to');
});

test('a member __proto__ stays data', async () => {
  const overrides = JSON.parse('{"__proto__": {"polluted": true}}');
  await sandbox.webhooks.trigger('transfer.completed', overrides);
  expect(sandbox.webhooks.listDeliveries({ webhookId }).at(-1)?.body).toContain('"__proto__":{"polluted":true}');
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

test('an event can have the id of another', async () => {
  await sandbox.webhooks.trigger('quote.executed', {}, { eventId: 'evt_same' });
  await sandbox.webhooks.trigger('swap.failed', {}, { eventId: 'evt_same' });
  expect(sandbox.webhooks.listDeliveries({ eventId: 'evt_same' }).map(({ type }) => type)).toEqual([
    'quote.executed',
    'swap.failed',
  ]);
});

test('the callback of a ramp transaction goes to webhooks of the scheme body, without a kind', async () => {
  const callback = (status?: string) =>
    sandbox.webhooks.trigger('ramp.transaction_updated', { status, payload: { transaction_id: 'tx_1' } });
  await expect(callback()).rejects.toThrow(/register one with the scheme body/);
  const { id, signing_secret } = sandbox.webhooks.register({ url: NOWHERE, scheme: 'body', form: 'flat' });
  expect(await callback('pending')).toMatchObject([{ webhookId: id, type: 'ramp.transaction_updated' }]);
  const [request] = got as [Request];
  const body = await request.text();
  expect(JSON.parse(body)).toEqual({ status: 'pending', payload: { transaction_id: 'tx_1' } });
  expect(Object.fromEntries(request.headers)).toEqual({
    'content-type': 'application/json',
    'x-signature': createHmac('sha256', signing_secret).update(body).digest('hex'),
  });
});

describe('an event goes', () => {
  test('to all webhooks of its kind, and an unknown one to all', async () => {
    sandbox.webhooks.register({ url: NOWHERE, events: ['swap.failed'] });
    expect(await sandbox.webhooks.trigger('quote.executed')).toHaveLength(1);
    expect(await sandbox.webhooks.trigger('swap.failed')).toHaveLength(2);
    expect(await sandbox.webhooks.trigger('loan.repaid', { amount: '1' }, { allowUnknown: true })).toHaveLength(2);
    expect(JSON.parse((await got.at(-1)?.text()) ?? '')).toMatchObject({ type: 'loan.repaid', data: { amount: '1' } });
  });

  test('to the one webhook that is named, whatever its kinds', async () => {
    const { id } = sandbox.webhooks.register({ url: NOWHERE, events: ['swap.failed'] });
    expect(await sandbox.webhooks.trigger('quote.executed', {}, { webhookId: id })).toMatchObject([{ webhookId: id }]);
  });

  test('to no webhook that is disabled, unknown or of the seed', async () => {
    const trigger = (id?: string) => sandbox.webhooks.trigger('quote.executed', {}, { webhookId: id });
    await expect(trigger('nothing')).rejects.toThrow('webhooks.trigger: there is no webhook nothing');
    await expect(trigger(sandbox.fixtures.webhookId)).rejects.toThrow(/is of the seed and receives nothing/);
    sandbox.webhooks.update(webhookId, { disabled: true });
    await expect(trigger(webhookId)).rejects.toThrow(`the webhook ${webhookId} is disabled`);
    await expect(trigger()).rejects.toThrow('webhooks.trigger: no webhook receives quote.executed: register one');
  });
});

describe('effects on the deliveries of the event', () => {
  const attempts = (deliveries: readonly Delivery[]) => deliveries.map((one) => one.attempts.map(({ fault }) => fault));

  test('applies to the first attempt for each receiver, and to no other event', async () => {
    sandbox.webhooks.register({ url: NOWHERE });
    const deliveries = await sandbox.webhooks.trigger('swap.failed', {}, { delivery: { sentAs: 'loan.repaid' } });
    expect(attempts(deliveries)).toEqual([[expect.any(String)], [expect.any(String)]]);
    expect(got.map(({ headers }) => headers.get('x-webhook-event'))).toEqual(['loan.repaid', 'loan.repaid']);
    expect(sandbox.troubles.list()).toEqual([]);
    expect(attempts([await sandbox.webhooks.redeliver(deliveries[0]?.id ?? '')])[0]?.[1]).toBeUndefined();
    expect(attempts(await sandbox.webhooks.trigger('swap.failed'))).toEqual([[undefined], [undefined]]);
  });

  test('give way to an older trouble, and do not stay behind', async () => {
    const { id } = sandbox.troubles.add({ does: { delivery: { duplicate: 1 } } });
    const deliveries = await sandbox.webhooks.trigger('swap.failed', {}, { delivery: { drop: true } });
    expect(attempts(deliveries)).toEqual([[id, id]]);
    expect(sandbox.troubles.list()).toEqual([]);
  });
});

const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

test.each<[args: unknown[], message: RegExp]>([
  [['quote.execute'], /there is no kind quote.execute: did you mean quote.executed\? Known are quote.executed/],
  [['something'], /there is no kind something Known|there is no kind something/],
  [[''], /kind must be printable ASCII text/],
  [[7], /kind must be a string, not a number/],
  [['a\r\nX-Evil: 1', {}, { allowUnknown: true }], /kind must be printable ASCII text/],
  [['quote.executed', 'text'], /overrides must be an object/],
  [['quote.executed', []], /overrides must be an object/],
  [['quote.executed', { a: { b: 1n } }], /overrides.a.b is not JSON: bigint/],
  [['quote.executed', { a: [Number.NaN] }], /overrides.a\[0\] is not JSON: NaN/],
  [['quote.executed', { a: () => 1 }], /overrides.a is not JSON: function/],
  [['quote.executed', cyclic], /nested too deeply/],
  [['quote.executed', {}, { delivery: {} }], /^webhooks\.trigger: delivery must say what goes wrong: drop, delayMs/],
  [['quote.executed', {}, { webhookid: 'x' }], /options must not have webhookid: did you mean webhookId\?/],
])('trigger is refused, and nothing is sent: %o', async (args, message) => {
  await expect(sandbox.webhooks.trigger(...(args as [string]))).rejects.toThrow(message);
  expect(got).toEqual([]);
});
