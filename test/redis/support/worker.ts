import { Redis } from 'ioredis';
import { isPartnerError, PartnerClient, type SignInput } from 'partner-sdk';
import { redisKeyLeases } from 'partner-sdk/redis';
import { createClient } from 'redis';
import { signature } from '../../support/signature.js';
import type { Failure, Message, Order, Setup } from './messages.js';

/** One process of an application: makes calls when it is told to. */
let client: PartnerClient | undefined;
let disconnect: () => void = () => {};
let sign: () => void = () => {};
let calls = 0;

const tell = (message: Message) => process.send?.(message);

process.on('unhandledRejection', (error) => tell({ type: 'incident', text: `unhandled rejection: ${error}` }));
process.on('message', (order: Order) => {
  obey(order).catch((error: unknown) => tell({ type: 'incident', text: String(error) }));
});
process.on('disconnect', () => process.exit());
tell({ type: 'ready' });

async function obey(order: Order): Promise<void> {
  if (order.type === 'setup') {
    client = await setUp(order);
    tell({ type: 'setup' });
  } else if (order.type === 'calls') {
    await makeCalls(order.count, order.parallel);
  } else if (order.type === 'sign') {
    sign();
  } else {
    await client?.close();
    disconnect();
    tell({ type: 'closed' });
  }
}

async function setUp(setup: Setup): Promise<PartnerClient> {
  const redis = await connect(setup);
  const nonce = redisKeyLeases(redis, setup.options);
  const { baseUrl, credentials, name } = setup;
  const signer = setup.asksBeforeSigning ? { signer: signWhenTold } : {};
  return new PartnerClient({ baseUrl, credentials, nonce, headers: { 'x-process': name }, ...signer });
}

async function connect({ library, redisPort }: Setup) {
  if (library === 'ioredis') {
    const redis = new Redis(redisPort, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null });
    redis.on('error', () => {});
    disconnect = () => redis.disconnect();
    return redis;
  }
  const redis = createClient({ url: `redis://127.0.0.1:${redisPort}`, socket: { reconnectStrategy: 50 } });
  redis.on('error', () => {});
  disconnect = () => redis.destroy();
  return redis.connect();
}

async function signWhenTold({ apiSecret, path, nonce, body }: SignInput): Promise<string> {
  tell({ type: 'signing' });
  await new Promise<void>((resolve) => {
    sign = resolve;
  });
  return signature(apiSecret ?? '', path, nonce, body);
}

async function makeCalls(count: number, parallel: number): Promise<void> {
  const failures: Failure[] = [];
  const written: string[] = [];
  let left = count;
  const caller = async () => {
    while (left-- > 0) {
      const number = calls++;
      try {
        if (number % 2 === 0) await client?.users.get(`USER-0000-${String(number).padStart(8, '0')}`);
        else written.push(await write(`${process.pid}-${number}`));
      } catch (error) {
        if (isPartnerError(error))
          failures.push({ name: error.name, outcome: error.outcome, message: describe(error) });
        else tell({ type: 'incident', text: `untyped error: ${error}` });
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, caller));
  tell({ type: 'calls', failures, written });
}

async function write(key: string): Promise<string> {
  const body = { asset_symbol: 'BTC', method_id: '5b6b1f2e-5c0c-4c0b-9a59-5f0d3a7f9f10', key, address: 'bc1qexample' };
  await client?.funds.withdrawalAddresses.save('ACCOUNT-0000-0001', body);
  return key;
}

function describe(error: Error): string {
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
