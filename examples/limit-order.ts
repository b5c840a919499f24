/**
 * Limit orders, followed by webhook. Buys when a price drops, and books the end of each order once.
 *
 * Place orders with `placeOrder`, serve `orderEvents` at the URL of your webhook, and run
 * `catchUp` now and then, for deliveries that never came.
 */
import { idempotencyKeyFor, isApiError, type PartnerClient, type PriceTriggerSwap } from 'partner-sdk';
import { webhookHandler } from 'partner-sdk/webhooks';

/** An order of your own books. */
export interface LimitOrder {
  /** Identifies this order, and never another one. */
  readonly id: string;
  readonly accountId: string;
  /** Dollars to spend, for example `100.00`. */
  readonly amount: string;
  /** Symbol of what is bought, for example `BTC`. */
  readonly symbol: string;
  /** Buys when one unit costs this many dollars, or less. */
  readonly limit: string;
}

/**
 * Your program's work for an order that has ended: `completed` or `cancelled`. It may be called
 * again for the same order, so store the order's id together with the effect.
 */
export type Book = (orderId: string, swap: PriceTriggerSwap) => Promise<void>;

/**
 * Places an order. Returns the id of its swap. After a crash, call it again, however late, and you
 * get the same swap.
 */
export async function placeOrder(client: PartnerClient, order: LimitOrder): Promise<string> {
  const { id: orderId, accountId, amount, symbol, limit } = order;
  // The service may have forgotten the idempotency key of an earlier call, but it shows the reference.
  for await (const placed of client.accounts.priceTriggerSwaps.list(accountId, { page_size: 100 }))
    if (placed.external_reference === orderId) return placed.id;
  const [dollars, bought] = [
    { symbol: 'USD', type: 'fiat' },
    { symbol, type: 'crypto' },
  ];
  const swap = {
    trade: { from: { ...dollars, amount }, to: bought },
    when: { base: bought, quote: dollars, drops_to: limit },
    external_reference: orderId,
  };
  const idempotencyKey = idempotencyKeyFor('limit-order', 'accounts.priceTriggerSwaps.create', accountId, orderId);
  const { id } = await client.accounts.priceTriggerSwaps.create(accountId, swap, { idempotencyKey });
  return id;
}

/** Cancels an open order. An order that has ended in the meantime is booked with its end. */
export async function cancelOrder(client: PartnerClient, accountId: string, swapId: string, book: Book): Promise<void> {
  try {
    await client.accounts.priceTriggerSwaps.cancel(accountId, swapId);
  } catch (error) {
    if (!isApiError(error, 'price_trigger_swap_not_cancellable')) throw error;
  }
  await bookEnd(client, accountId, swapId, book);
}

/**
 * Receives the webhooks of orders. Serve the handler, which has fetch style, at the URL of the
 * webhook.
 *
 * `price_trigger_swap.execution_failed` is missing, because the swap stays active and the service
 * tries again. If you placed the order again at that event, you could buy twice.
 */
export function orderEvents(client: PartnerClient, accountId: string, secrets: readonly string[], book: Book) {
  // Deliveries may come late and in any order, and their payload isn't documented. The swap itself
  // says how it has ended.
  const ended = async ({ data }: { data: Readonly<Record<string, unknown>> }): Promise<void> => {
    if (typeof data['id'] === 'string') await bookEnd(client, accountId, data['id'], book);
  };
  return webhookHandler({
    secrets,
    on: {
      'price_trigger_swap.executed': ended,
      'price_trigger_swap.cancelled': ended,
    },
    onError: (error, event) => console.error(`webhook ${event?.deliveryId} failed and will be delivered again`, error),
  });
}

/** Books all orders that have ended. Returns their number. */
export async function catchUp(client: PartnerClient, accountId: string, book: Book): Promise<number> {
  let count = 0;
  const ended = client.accounts.priceTriggerSwaps.list(accountId, { statuses: ['completed', 'cancelled'] });
  for await (const swap of ended) {
    if (swap.external_reference === undefined) continue;
    await book(swap.external_reference, swap);
    count++;
  }
  return count;
}

async function bookEnd(client: PartnerClient, accountId: string, swapId: string, book: Book): Promise<void> {
  const swap = await client.accounts.priceTriggerSwaps.get(accountId, swapId);
  if (swap.status === 'active' || swap.external_reference === undefined) return;
  await book(swap.external_reference, swap);
}
