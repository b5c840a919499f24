import { describe, expectTypeOf, it } from 'vitest';
import {
  isWebhookEvent,
  type KnownWebhookEventType,
  nodeWebhookHandler,
  type ReplayGuard,
  type UnrecognizedWebhookEvent,
  verifyWebhook,
  type WebhookEvent,
  type WebhookEventOf,
  type WebhookEventType,
  type WebhookObject,
  webhookHandler,
} from '../../../src/webhooks/index.js';

declare const event: WebhookEvent;
declare const secret: string;

describe('an event', () => {
  it('is what verifyWebhook gives', () => {
    expectTypeOf(verifyWebhook).returns.toEqualTypeOf<WebhookEvent>();
  });

  it('is told apart by type', () => {
    if (event.type === 'quote.executed') {
      expectTypeOf(event).toEqualTypeOf<WebhookEventOf<'quote.executed'>>();
      expectTypeOf(event.data.from?.amount).toEqualTypeOf<string | undefined>();
      expectTypeOf(event.data.expires_at).toEqualTypeOf<string | undefined>();
      expectTypeOf(event.data.rate?.base?.symbol).toEqualTypeOf<string | undefined>();
    }
    if (event.type === 'wallet.whitelisted') expectTypeOf(event.data.address).toEqualTypeOf<string | undefined>();
    if (event.type === 'webhook.test') expectTypeOf(event.data.message).toEqualTypeOf<string | undefined>();
    if (event.type === 'swap.completed') expectTypeOf(event.data).toEqualTypeOf<WebhookObject>();
  });

  it('about money has the members of what the operations return', () => {
    if (isWebhookEvent(event, 'withdrawal.completed')) {
      expectTypeOf(event.data.ref_id).toEqualTypeOf<string | undefined>();
      expectTypeOf(event.data.total).toEqualTypeOf<string | undefined>();
      expectTypeOf(event.data.status).toExtend<string | undefined>();
      if (typeof event.data.asset === 'object')
        expectTypeOf(event.data.asset.symbol).toEqualTypeOf<string | undefined>();
    }
    if (isWebhookEvent(event, 'deposit.status_updated'))
      expectTypeOf(event.data.amount).toEqualTypeOf<string | undefined>();
    if (isWebhookEvent(event, 'transfer.failed'))
      expectTypeOf(event.data.failure_reason).toEqualTypeOf<string | undefined>();
    if (isWebhookEvent(event, 'price_trigger_swap.cancelled'))
      expectTypeOf(event.data.cancelled_reason?.code).toExtend<string | undefined>();
    if (isWebhookEvent(event, 'quote.cancelled')) expectTypeOf(event.data.id).toEqualTypeOf<string | undefined>();
    if (isWebhookEvent(event, 'ramp.transaction_updated'))
      expectTypeOf(event.data.payload?.transaction_id).toEqualTypeOf<string | undefined>();
    if (isWebhookEvent(event, 'user.verified')) expectTypeOf(event.data).toEqualTypeOf<WebhookObject>();
  });

  it('is told apart by a switch, whose default takes every newer kind', () => {
    switch (event.type) {
      case 'conversion.withdrawal_completed':
      case 'conversion.quote_execution_failed':
        expectTypeOf(event.data.updated_at).toEqualTypeOf<string | undefined>();
        break;
      default:
        expectTypeOf(event.type).toExtend<string>();
        expectTypeOf(event.data['amount']).toEqualTypeOf<unknown>();
    }
  });

  it('promises no member, on no level, and has further ones', () => {
    if (event.type !== 'quote.executed') return;
    expectTypeOf(event.data['executed_at']).toEqualTypeOf<unknown>();
    expectTypeOf(event.data.from?.['network']).toEqualTypeOf<unknown>();
    // @ts-expect-error: it may be missing
    event.data.from.amount;
    // @ts-expect-error: an amount is text here, not a Decimal
    event.data.from?.amount?.times(2);
    // @ts-expect-error: what was proven is not changed
    event.data.status = 'failed';
  });

  it('keeps what its content tells apart', () => {
    if (event.type !== 'conversion.withdrawal_completed') return;
    const { to } = event.data;
    if (to?.type === 'wallet') expectTypeOf(to.wallet?.via).toEqualTypeOf<string | undefined>();
    // @ts-expect-error: only a wallet has one
    to?.wallet?.via;
  });

  it('has what every event has, without looking at its type', () => {
    expectTypeOf(event.id).toEqualTypeOf<string | undefined>();
    expectTypeOf(event.deliveryId).toEqualTypeOf<string>();
    expectTypeOf(event.timestamp).toEqualTypeOf<number | undefined>();
    expectTypeOf(event.secretIndex).toEqualTypeOf<number>();
    expectTypeOf(event.raw).toEqualTypeOf<WebhookObject>();
    expectTypeOf(event.data['id']).toEqualTypeOf<unknown>();
    expectTypeOf(event.type).toExtend<WebhookEventType>();
  });
});

describe('isWebhookEvent', () => {
  it('narrows to a known kind, and to the others where it is false', () => {
    if (isWebhookEvent(event, 'swap.failed')) expectTypeOf(event).toEqualTypeOf<WebhookEventOf<'swap.failed'>>();
    else expectTypeOf(event.type).toExtend<Exclude<WebhookEvent['type'], 'swap.failed'>>();
  });

  it('takes a newer kind as text, and narrows nothing', () => {
    if (isWebhookEvent(event, 'loan.repaid')) expectTypeOf(event.data['amount']).toEqualTypeOf<unknown>();
    else expectTypeOf(event).toEqualTypeOf<WebhookEvent>();
    const kind: string = 'from configuration';
    expectTypeOf(isWebhookEvent(event, kind)).toEqualTypeOf<boolean>();
    // @ts-expect-error: a kind is text
    isWebhookEvent(event, 5);
  });
});

describe('the kinds', () => {
  it('are open for callers, closed where a typing error must show', () => {
    expectTypeOf<'loan.repaid'>().toExtend<WebhookEventType>();
    expectTypeOf<'loan.repaid'>().not.toExtend<KnownWebhookEventType>();
    expectTypeOf<UnrecognizedWebhookEvent>().toExtend<WebhookEvent>();
    expectTypeOf<WebhookEventOf<'swap.completed' | 'swap.failed'>['type']>().toEqualTypeOf<
      'swap.completed' | 'swap.failed'
    >();
  });
});

describe('handlers', () => {
  it('give each function of `on` its event, and onEvent any', () => {
    webhookHandler({
      secret,
      on: {
        'quote.executed': (quote) => expectTypeOf(quote).toEqualTypeOf<WebhookEventOf<'quote.executed'>>(),
        'reward.paid': async ({ data }) => expectTypeOf(data).toEqualTypeOf<WebhookObject>(),
      },
      onEvent: (other) => expectTypeOf(other).toEqualTypeOf<WebhookEvent>(),
      onRejected: ({ reason }) => expectTypeOf(reason).toExtend<string>(),
      onError: (error, failed) => {
        expectTypeOf(error).toEqualTypeOf<unknown>();
        expectTypeOf(failed).toEqualTypeOf<WebhookEvent | undefined>();
      },
    });
  });

  it('refuse a misspelled kind and a missing secret', () => {
    // @ts-expect-error: no such kind; onEvent takes those that are not known yet
    nodeWebhookHandler({ secret, on: { 'quote.excuted': () => {} } });
    // @ts-expect-error: a secret is needed
    nodeWebhookHandler({ onEvent: () => {} });
    // @ts-expect-error: one of both
    nodeWebhookHandler({ secret, secrets: [secret], onEvent: () => {} });
  });

  it('are what servers call', () => {
    expectTypeOf(webhookHandler).returns.toEqualTypeOf<(request: Request) => Promise<Response>>();
  });

  it('take a guard that asks a store', () => {
    const ids = new Set<string>();
    const guard: ReplayGuard = { seen: async (id) => ids.size === ids.add(id).size, forget: (id) => ids.delete(id) };
    webhookHandler({ secret, guard, onEvent: () => {} });
    // @ts-expect-error: the answer of a Redis client is no boolean
    webhookHandler({ secret, guard: { seen: async () => 'OK' }, onEvent: () => {} });
  });
});
