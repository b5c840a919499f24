import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { PartnerClient } from '../../../src/index.js';
import { WEBHOOK_KINDS } from '../../../src/resources/webhook-kinds.js';
import type { Sandbox, SandboxOptions, WebhookInput } from '../../../src/sandbox/index.js';
import { inProcess, NOWHERE, only, pass, sandboxOf, sendEvents } from './support/sending.js';

interface Got {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A sandbox with one webhook, and what its receiver got. The receiver fails while `status` is. */
function sending(input: Partial<WebhookInput>, options?: SandboxOptions) {
  const got: Got[] = [];
  const receiver = { status: 204 };
  const deliver = async (request: Request) => {
    got.push({ headers: Object.fromEntries(request.headers), body: await request.text() });
    return new Response(null, { status: receiver.status });
  };
  const sandbox = inProcess(deliver, options);
  return { sandbox, got, receiver, webhook: sandbox.webhooks.register({ url: NOWHERE, ...input }) };
}

const parsed = ({ body }: Got): Record<string, unknown> => JSON.parse(body);

describe.each(['enveloped', 'flat'] as const)('in the form %s', (form) => {
  test('three events to one webhook, each sent twice, are three bodies under one X-Webhook-ID', async () => {
    const { sandbox, got, receiver, webhook } = sending({ form });
    receiver.status = 503;
    await sendEvents(sandbox, 3);
    receiver.status = 204;
    await pass(sandbox, 1_000);
    const bodies = got.map(({ body }) => body);
    expect(bodies.slice(3)).toEqual(bodies.slice(0, 3));
    expect(new Set(bodies).size).toBe(3);
    expect(got.map(({ headers }) => headers['x-webhook-id'])).toEqual(Array(6).fill(webhook.id));
    expect(webhook.id).toMatch(/^ep_/);
    expect(sandbox.webhooks.listDeliveries().map(({ body, status }) => [body, status])).toEqual(
      bodies.slice(0, 3).map((body) => [body, 'delivered']),
    );
  });
});

describe('the flat form', () => {
  test.each(WEBHOOK_KINDS)('of %s has the members of the data beside the kind and the time', async (kind) => {
    const { sandbox, got, webhook } = sending({ form: 'flat' });
    sandbox.webhooks.register({ url: NOWHERE });
    sandbox.advance(1_500);
    await sandbox.webhooks.idle();
    got.length = 0;
    const deliveries = await sandbox.webhooks.trigger(kind);
    expect(got).toHaveLength(2);
    const flat = got[deliveries.findIndex(({ webhookId }) => webhookId === webhook.id)];
    const enveloped = got[deliveries.findIndex(({ webhookId }) => webhookId !== webhook.id)];
    if (flat === undefined || enveloped === undefined) throw new Error('two deliveries were expected');
    const { type, data } = parsed(enveloped) as { type: string; data: object };
    expect(type).toBe(kind);
    expect(parsed(flat)).toEqual({ event_type: kind, timestamp: '2026-01-15T12:00:01.500Z', ...data });
    expect(flat.headers['x-webhook-event']).toBe(kind);
    expect(flat.body).not.toContain(deliveries[0]?.eventId);
  });

  test("keeps the data's own timestamp, but not another kind", async () => {
    const { sandbox, got } = sending({ form: 'flat' });
    await sandbox.webhooks.trigger('quote.executed', { timestamp: 'mine', event_type: 'swap.failed' });
    expect(got.map(parsed)).toMatchObject([{ event_type: 'quote.executed', timestamp: 'mine' }]);
  });

  test('is that of a test delivery, too', async () => {
    const { sandbox, got, webhook } = sending({ form: 'flat' });
    const { test_id, payload_sent } = await tested(sandbox, webhook.id);
    expect(payload_sent).toBe(got[0]?.body);
    expect(parsed(got[0] as Got)).toMatchObject({ event_type: 'webhook.test', message: expect.any(String) });
    expect(test_id).toMatch(/^test_/);
  });

  test('tells the timeline and the checks which resource the event is about', async () => {
    const { sandbox } = sending({ form: 'flat', events: ['quote.executed'] }, { inspect: true });
    const { accountId, quoteId } = sandbox.fixtures;
    await sandbox.requests.send({ method: 'POST', path: `/v1/accounts/${accountId}/quotes/${quoteId}/execute` });
    await sandbox.clock.advance(2_000, { deliver: true });
    expect(await deliveryEntries(sandbox)).toMatchObject([{ kind: 'delivery', about: quoteId }]);
    expect(sandbox.checks.run().find(({ id }) => id === 'executed_quotes')).toMatchObject({ status: 'passed' });
  });

  test('of later events can be set and taken back', async () => {
    const { sandbox, got, receiver, webhook } = sending({});
    receiver.status = 503;
    await sendEvents(sandbox);
    sandbox.webhooks.update(webhook.id, { form: 'flat' });
    expect(sandbox.webhooks.list()[0]).toMatchObject({ id: webhook.id, form: 'flat', scheme: 'timestamped' });
    receiver.status = 204;
    await pass(sandbox, 1_000);
    await sendEvents(sandbox);
    sandbox.webhooks.update(webhook.id, { form: 'enveloped' });
    await sendEvents(sandbox);
    expect(got.map((one) => parsed(one)['type'] ?? 'flat')).toEqual([
      ...['deposit.completed', 'deposit.completed'],
      ...['flat', 'deposit.completed'],
    ]);
  });
});

async function tested(sandbox: Sandbox, webhookId: string) {
  await using client = new PartnerClient({
    baseUrl: 'https://sandbox.test',
    ...sandbox.credentials,
    transport: sandbox.transport(),
  });
  return client.webhooks.test(webhookId);
}

async function deliveryEntries(sandbox: Sandbox): Promise<unknown[]> {
  const { url } = await sandbox.listen();
  const answer = await fetch(`${url}/_sandbox/events?after=0&kinds=delivery`);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!/^data: .*\n\n/m.test(text)) text += (await reader?.read())?.value ?? '';
  await reader?.cancel();
  return [...text.matchAll(/^data: (.*)\n/gm)].map(([, data = '']) => JSON.parse(data));
}

describe('the scheme standard', () => {
  const verified = (secret: string, { body, headers }: Got): unknown => new Webhook(secret).verify(body, headers);

  test.each(['enveloped', 'flat'] as const)('in the form %s is verified by the public library', async (form) => {
    const { sandbox, got, webhook } = sending({ form, scheme: 'standard' });
    await sendEvents(sandbox);
    const [one] = got as [Got];
    for (const secret of [webhook.signing_secret, `whsec_${webhook.signing_secret}`]) {
      expect(verified(secret, one)).toEqual(parsed(one));
    }
    expect(one.headers['webhook-id']).toBe(only(sandbox).eventId);
    expect(Object.keys(one.headers).sort()).toEqual([
      ...['content-type', 'webhook-id', 'webhook-signature', 'webhook-timestamp'],
    ]);
    expect(() => verified(webhook.signing_secret, { ...one, body: `${one.body} ` })).toThrow(/No matching signature/);
  });

  test('has the same id in each retry, and another for each event', async () => {
    const { sandbox, got, receiver } = sending({ scheme: 'standard', form: 'flat' });
    receiver.status = 500;
    await sendEvents(sandbox, 2);
    await pass(sandbox, 1_000);
    const ids = got.map(({ headers }) => headers['webhook-id']);
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
    expect(new Set(ids).size).toBe(2);
  });

  test('while a secret is rotated has a signature for each', async () => {
    const { sandbox, got, webhook } = sending({ scheme: 'standard' });
    const { signing_secret: next } = sandbox.webhooks.rotateSecret(webhook.id);
    await sendEvents(sandbox);
    const [one] = got as [Got];
    expect(one.headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
    for (const secret of [webhook.signing_secret, next]) expect(verified(secret, one)).toEqual(parsed(one));
  });

  test('is set later, with the same secret, and shown by a test delivery', async () => {
    const { sandbox, got, webhook } = sending({});
    sandbox.webhooks.update(webhook.id, { scheme: 'standard' });
    const { signature_header } = await tested(sandbox, webhook.id);
    expect(verified(webhook.signing_secret, got[0] as Got)).toMatchObject({ type: 'webhook.test' });
    expect(signature_header).toBe(got[0]?.headers['webhook-signature']);
  });

  test.each([
    [{ signature: 'wrong' }, /No matching signature/],
    [{ signature: 'missing' }, /Missing required headers/],
    [{ signature: 'other_secret' }, /No matching signature/],
    [{ signature: 'malformed' }, /No matching signature/],
    [{ timestamp: 'stale' }, /too old/],
    [{ timestamp: 'future' }, /too new/],
    [{ body: 'changed' }, /No matching signature/],
  ] as const)('goes wrong by the effects %j, which the library and the sandbox notice', async (delivery, message) => {
    const { sandbox, got, webhook } = sending({ scheme: 'standard' });
    await sandbox.webhooks.trigger('quote.executed', {}, { delivery });
    const [one] = got as [Got];
    expect(() => verified(webhook.signing_secret, one)).toThrow(message);
    expect(sandbox.webhooks.verify(one)).toMatchObject({ valid: false, scheme: 'standard' });
  });

  test('is verified in an inbox', async () => {
    const sandbox = sandboxOf();
    sandbox.webhooks.register({ url: sandbox.inbox.url('standard'), scheme: 'standard' });
    await sandbox.webhooks.trigger('quote.executed');
    expect(sandbox.inbox.list()).toMatchObject([{ verification: { valid: true, scheme: 'standard' } }]);
  });
});
