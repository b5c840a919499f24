/** What the examples of the documents take for granted: the reader's own books, vault, database and application. */
import express from 'express';
import type { WithdrawalAddressSaveBody } from 'partner-sdk';
import { createSandbox } from 'partner-sdk/sandbox';
import { signWebhook } from 'partner-sdk/webhooks';

export const orderId = 'order-4711';
export const body: WithdrawalAddressSaveBody = {
  asset_symbol: 'BTC',
  method_id: createSandbox({ seed: 1 }).fixtures.methodId,
  key: 'customer 1',
  address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
};
export const remember = async (operation?: string, key?: string): Promise<void> => console.log(operation, key);

export const vault = { read: async (_name: string): Promise<string> => 'c2VjcmV0' };
export const askOperator = async (_operation: string): Promise<string> => '271828';

export const app = express();
export const secret = 'dGhlIHNlY3JldCBvZiB0aGUgd2ViaG9vaw==';
export const settle = async (quoteId: string | undefined): Promise<void> => console.log(quoteId);

/** A delivery as it arrived. */
export const rawBody = new TextEncoder().encode(
  '{"id":"ev-1","type":"quote.executed","data":{"id":"Q-1","status":"executed"}}',
);
export const request = { headers: { ...signWebhook({ body: rawBody, secret }) } };

/** Stands for a pool of `pg`. */
interface Connection {
  query(text: string, values?: unknown[]): Promise<{ command: string; rowCount: number | null; rows: unknown[] }>;
  release(destroy?: boolean): void;
}
const connection: Connection = {
  query: async () => ({ command: 'COMMIT', rowCount: 1, rows: [] }),
  release: () => {},
};
export const pool = { query: connection.query, connect: async (): Promise<Connection> => connection };
