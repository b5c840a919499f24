import { describe, expect, it, vi } from 'vitest';
import type { ClientOptions, PartnerClient } from '../../../src/index.js';
import { WEBHOOK_KINDS } from '../../../src/resources/webhook-kinds.js';
import type { KnownWebhookEventType } from '../../../src/webhooks/index.js';
import { invoke, OPERATIONS, operation } from '../support/operations.js';
import * as sample from '../support/samples.js';
import { startService, wrong } from '../support/service.js';

const service = startService();
const URL = 'https://example.com/hook';

type Call = (client: PartnerClient) => PromiseLike<unknown>;

/** Makes calls with one client and returns its warnings. All calls succeed. */
async function warningsOf(name: string, ...calls: Call[]): Promise<(readonly [message: string, fields: object])[]> {
  service.answerJson(operation(name).answer);
  const lines: (readonly [string, object])[] = [];
  const client = service.client({ logger: { warn: (...line) => void lines.push(line) } });
  for (const call of calls) await call(client);
  expect(service.received).toHaveLength(calls.length);
  return lines;
}

const checkout =
  (params: object): Call =>
  (client) =>
    client.ramp.checkout.get(wrong(params));
const hook =
  (body: object): Call =>
  (client) =>
    client.webhooks.create(wrong({ url: URL, ...body }));

describe('what is sent as it is, and looks misspelt, is told to the logger', () => {
  it('a parameter, which still is sent', async () => {
    expect(await warningsOf('ramp.checkout.get', checkout({ in_ammount: '100' }))).toEqual([
      [
        'partner-sdk: a member of the input is not a documented one, and it is sent unchanged: did you mean in_amount?',
        { operation: 'ramp.checkout.get', path: 'in_ammount' },
      ],
    ]);
    expect(service.only.query.get('in_ammount')).toBe('100');
  });

  it('a kind of webhook events, of create and update, with the kind that was meant', async () => {
    const events = ['quote.executed', 'quote.execute', 'loan.repaid'];
    const unknown = 'partner-sdk: a string of the input is not a documented one, and it is sent unchanged';
    expect(await warningsOf('webhooks.create', hook({ events }))).toEqual([
      [`${unknown}: did you mean quote.executed?`, { operation: 'webhooks.create', path: 'events[1]' }],
      [unknown, { operation: 'webhooks.create', path: 'events[2]' }],
    ]);
    expect(JSON.parse(service.only.body).events).toEqual(events);
    service.received.length = 0;
    const update: Call = (client) => client.webhooks.update(sample.webhook.id, { events: ['swap.complete'] });
    const [line] = await warningsOf('webhooks.update', update);
    expect(line?.[0]).toContain('did you mean swap.completed?');
  });

  it('once for each place and client, and no value is shown', async () => {
    const twice = [checkout({ in_ammount: 'hunter2' }), checkout({ in_ammount: 'hunter2' })];
    const lines = await warningsOf('ramp.checkout.get', ...twice);
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it('also an unprintable name, in a form that can be logged', async () => {
    const [line] = await warningsOf('ramp.checkout.get', checkout({ 'in_amount\n': '1' }));
    expect(line?.[1]).toMatchObject({ path: 'in_amount\\u000a' });
  });
});

describe('without a logger', () => {
  /** Makes calls with one client and returns the process warnings. */
  async function emittedBy(options: ClientOptions, ...calls: Call[]): Promise<unknown[]> {
    const emit = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    try {
      service.answerJson(operation('webhooks.create').answer);
      const client = service.client(options);
      for (const call of calls) await call(client);
      return emit.mock.calls;
    } finally {
      emit.mockRestore();
    }
  }

  it.each([
    ['hooks', { hooks: { onEnd: () => {} } }],
    ['nothing', {}],
  ])('and with %s, an unknown kind of events is a process warning, once', async (_, options) => {
    const call = hook({ events: ['quote.executed', 'withdrawal.complete'] });
    const message =
      'partner-sdk: a string of the input is not a documented one, and it is sent unchanged: did you mean withdrawal.completed? (events[1] of webhooks.create)';
    expect(await emittedBy(options, call, call)).toEqual([[message, { code: 'PARTNER_SDK_INPUT' }]]);
    expect(service.received).toHaveLength(2);
  });

  it('known kinds and misspelt names are none', async () => {
    expect(await emittedBy({}, hook({ evnts: ['a'], events: [...WEBHOOK_KINDS] }))).toEqual([]);
  });
});

describe('nothing is told', () => {
  it.each([
    ['of a name that is near no known one', { campaign: 'x' }],
    ['of one that is undefined', { in_ammount: undefined }],
    ['of one that is there beside the known one', { memo: 'a', memo2: 'b' }],
  ])('%s', async (_, params) => {
    expect(await warningsOf('ramp.checkout.get', checkout(params))).toEqual([]);
  });

  it('of the known kinds, which are those of the receiver', async () => {
    const known: Record<Exclude<KnownWebhookEventType, 'ramp.transaction_updated'>, true> = Object.fromEntries(
      WEBHOOK_KINDS.map((kind) => [kind, true]),
    ) as {
      [Kind in (typeof WEBHOOK_KINDS)[number]]: true;
    };
    expect(await warningsOf('webhooks.create', hook({ events: Object.keys(known) }))).toEqual([]);
  });

  it.each(OPERATIONS)('of the documented input of $name', async (op) => {
    expect(await warningsOf(op.name, (client) => invoke(op, client))).toEqual([]);
  });
});
