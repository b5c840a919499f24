import { fetchTransport, PartnerClient, type PriceTriggerSwap } from 'partner-sdk';
import { createSandbox, type Sandbox } from 'partner-sdk/sandbox';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cancelOrder, catchUp, type LimitOrder, orderEvents, placeOrder } from '../../examples/limit-order.js';

let sandbox: Sandbox;
let client: PartnerClient;
let accountId: string;
/** What the program has booked: the end of each order. */
let books: Map<string, PriceTriggerSwap>;
let receive: (request: Request) => Promise<Response>;

const order = (id: string, more: Partial<LimitOrder> = {}): LimitOrder => {
  return { id, accountId, amount: '100.00', symbol: 'BTC', limit: '60000', ...more };
};
const book = async (id: string, swap: PriceTriggerSwap) => void books.set(id, swap);
const statusOf = (id: string) => books.get(id)?.status;

beforeEach(() => {
  sandbox = createSandbox({ seed: 1, deliver: (request) => receive(request as Request) });
  const transport = fetchTransport({ fetch: (input, init) => sandbox.fetch(new Request(input, init)) });
  client = new PartnerClient({ baseUrl: 'https://api.test', ...sandbox.credentials, transport });
  accountId = sandbox.fixtures.accountId;
  books = new Map();
  const { signing_secret } = sandbox.webhooks.register({ url: 'https://partner.test/webhooks' });
  receive = orderEvents(client, accountId, [signing_secret], book);
});
afterEach(async () => {
  await client.close();
  await sandbox.close();
});

it('books an order once its price is reached, as the webhook tells it', async () => {
  await placeOrder(client, order('one'));
  sandbox.prices.set('BTC', '60000.01');
  await sandbox.webhooks.idle();
  expect(books.size).toBe(0);
  sandbox.prices.set('BTC', '59000');
  await sandbox.webhooks.idle();
  expect(statusOf('one')).toBe('completed');
  expect(books.get('one')?.trade?.to?.amount?.toFixed()).toBe('0.00169067');
  expect(sandbox.webhooks.listDeliveries().map(({ type, status }) => [type, status])).toEqual([
    ['price_trigger_swap.executed', 'delivered'],
  ]);
});

it('books an order that cannot be paid once it is cancelled, and not while the service still tries', async () => {
  const swapId = await placeOrder(client, order('dear', { amount: '100000000' }));
  sandbox.prices.set('BTC', '59000');
  await sandbox.webhooks.idle();
  expect(sandbox.webhooks.listDeliveries().map(({ type }) => type)).toEqual(['price_trigger_swap.execution_failed']);
  expect(await catchUp(client, accountId, book)).toBe(0);
  expect(books.size).toBe(0);
  sandbox.priceTriggerSwaps.fail(swapId);
  sandbox.priceTriggerSwaps.fail(swapId);
  await sandbox.webhooks.idle();
  expect(books.get('dear')).toMatchObject({ status: 'cancelled', cancelled_reason: { code: 'system' } });
});

it('books an order that failed first and was executed later as completed', async () => {
  const swapId = await placeOrder(client, order('late'));
  sandbox.priceTriggerSwaps.fail(swapId);
  await sandbox.webhooks.idle();
  expect(books.size).toBe(0);
  sandbox.prices.set('BTC', '59000');
  sandbox.advance(60_000);
  await sandbox.webhooks.idle();
  expect(statusOf('late')).toBe('completed');
});

it('places an order once, however often it is placed', async () => {
  const ids = [await placeOrder(client, order('one')), await placeOrder(client, order('one'))];
  sandbox.advance(25 * 3_600_000); // the service has forgotten the key
  ids.push(await placeOrder(client, order('one')));
  expect(new Set(ids).size).toBe(1);
  expect(await client.accounts.priceTriggerSwaps.list(accountId).toArray({ limit: 10 })).toHaveLength(1);
});

it('cancels an order that waits, and books one that was made meanwhile as it ended', async () => {
  const [waits, made] = [
    await placeOrder(client, order('waits', { limit: '1' })),
    await placeOrder(client, order('made')),
  ];
  sandbox.prices.set('BTC', '59000');
  for (const id of [waits, made]) await cancelOrder(client, accountId, id, book);
  expect([statusOf('waits'), statusOf('made')]).toEqual(['cancelled', 'completed']);
});

it('books what ended while no delivery came, too', async () => {
  receive = async () => new Response(null, { status: 503 });
  for (const id of ['one', 'two']) await placeOrder(client, order(id));
  await placeOrder(client, order('waits', { limit: '1' }));
  sandbox.prices.set('BTC', '59000');
  await sandbox.webhooks.idle();
  expect(books.size).toBe(0);
  expect(await catchUp(client, accountId, book)).toBe(2);
  expect([...books.keys()].sort()).toEqual(['one', 'two']);
});
