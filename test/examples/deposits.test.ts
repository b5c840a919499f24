import { type Decimal, type FundsTransaction, PartnerClient } from 'partner-sdk';
import { createSandbox, type Sandbox } from 'partner-sdk/sandbox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Books, bookDeposits, depositAddress, depositReceiver } from '../../examples/deposits.js';

class Memory implements Books {
  readonly booked: FundsTransaction[] = [];

  async has(refId: string): Promise<boolean> {
    return this.booked.some(({ ref_id }) => ref_id === refId);
  }

  async book(deposit: FundsTransaction): Promise<void> {
    if (!(await this.has(deposit.ref_id))) this.booked.push(deposit);
  }

  get amounts(): string[] {
    return this.booked.map(({ amount }) => (amount as Decimal).toFixed());
  }
}

let sandbox: Sandbox;
let client: PartnerClient;
let books: Memory;
let accountId: string;
let receive: ReturnType<typeof depositReceiver>;
beforeEach(async () => {
  sandbox = createSandbox({ realTime: true, deliver: (request) => receive(request as Request) });
  accountId = sandbox.fixtures.accountId;
  const { url } = await sandbox.listen();
  client = new PartnerClient({ baseUrl: url, ...sandbox.credentials });
  books = new Memory();
});
afterEach(async () => {
  await client.close();
  await sandbox.close();
});

describe('the example of deposits', () => {
  test('gives an address, and books a deposit once when it is credited', async () => {
    const { address, tag } = await depositAddress(client, accountId, 'XRP', 'XRP Ledger');
    expect((await depositAddress(client, accountId, 'XRP', 'XRP Ledger')).address).toBe(address);
    sandbox.accounts.deposit(accountId, { address, amount: '125.5', tag: tag ?? undefined });
    expect(await bookDeposits(client, books)).toBe(0);
    sandbox.advance(60_000);
    expect([await bookDeposits(client, books), books.amounts]).toEqual([1, ['125.5']]);
    expect(await bookDeposits(client, books)).toBe(0);
  });

  test('books an older deposit that is credited after a newer one', async () => {
    const { address } = await depositAddress(client, accountId, 'ETH', 'Ethereum');
    sandbox.accounts.deposit(accountId, { address, amount: '0.5' });
    sandbox.accounts.deposit(accountId, { symbol: 'USD', amount: '10' });
    await bookDeposits(client, books);
    sandbox.advance(60_000);
    await bookDeposits(client, books);
    expect(books.amounts).toEqual(['10', '0.5']);
  });

  test('books by a webhook, once for two deliveries', async () => {
    const { id, signing_secret } = sandbox.webhooks.register({
      url: 'https://partner.example/hook',
      events: ['deposit.completed'],
    });
    receive = depositReceiver(client, [signing_secret], books);
    sandbox.accounts.deposit(accountId, { symbol: 'USD', amount: '10' });
    const delivery = () => sandbox.webhooks.listDeliveries().find(({ webhookId }) => webhookId === id);
    await expect.poll(() => delivery()?.status).toBe('delivered');
    expect(books.amounts).toEqual(['10']);
    await sandbox.webhooks.redeliver(delivery()?.id ?? '');
    expect(books.amounts).toEqual(['10']);
  });

  test('says that an asset cannot be deposited so', async () => {
    await expect(depositAddress(client, accountId, 'BTC', 'Carrier pigeon')).rejects.toThrow('by Carrier pigeon');
  });
});
