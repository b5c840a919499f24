// The recipes take what the databases' own types describe.
import { DatabaseSync } from 'node:sqlite';
import { nodeWebhookHandler } from 'partner-sdk/webhooks';
import { Pool, type PoolClient } from 'pg';
import * as postgres from './postgres.js';
import * as sqlite from './sqlite.js';

const pool = new Pool();
const secret = 'c3Fs';
export const overPostgres = nodeWebhookHandler({
  secret,
  guard: postgres.NO_GUARD,
  onEvent: postgres.inTransaction(pool, 'shop', async (event, client: PoolClient) => {
    await client.query<{ id: number }>('INSERT INTO bookings VALUES ($1)', [event.deliveryId]);
  }),
});
export const guarded = nodeWebhookHandler({
  secret,
  guard: postgres.postgresReplayGuard(pool, 'shop'),
  onEvent: ({ type }) => console.log(type),
});

const database = new DatabaseSync(':memory:');
export const overSqlite = nodeWebhookHandler({
  secret,
  guard: sqlite.NO_GUARD,
  onEvent: sqlite.inTransaction(database, 'shop', (event, { prepare }) => {
    console.log(prepare.name, event.deliveryId);
  }),
});
