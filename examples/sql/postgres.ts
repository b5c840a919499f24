/**
 * Webhooks and PostgreSQL, with the `Pool` of npm's `pg`.
 *
 *     await pool.query(SCHEMA);
 *     nodeWebhookHandler({ secret, guard: NO_GUARD, onEvent: inTransaction(pool, 'shop', effect) });
 */
import { randomUUID } from 'node:crypto';
import type { ReplayGuard, WebhookEvent } from 'partner-sdk/webhooks';

export const SCHEMA = `
CREATE TABLE IF NOT EXISTS partner_events (
  endpoint text,
  event text,
  handled_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (endpoint, event)
);
-- For the guard. The holder handles the event until then. Both are NULL when the event is handled.
CREATE TABLE IF NOT EXISTS partner_deliveries (
  endpoint text,
  id text,
  holder text,
  held_until timestamptz,
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (endpoint, id)
)`;

/** The parts of a client of `pg` that this file uses. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ command: string; rowCount: number | null; rows: unknown[] }>;
  on(event: 'error', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
  /** `true` closes the connection. */
  release(destroy?: boolean): void;
}

/** The parts of a pool of `pg` that this file uses. */
export interface PostgresPool<Client extends PostgresClient = PostgresClient> {
  connect(): Promise<Client>;
  query: PostgresClient['query'];
}

/** The transaction recognises duplicates. */
export const NO_GUARD: ReplayGuard = { seen: () => false, forget: () => {} };

/**
 * Returns a handler whose effect takes place exactly once, because the event is recorded in the
 * same transaction. The effect must make all its queries with the client that it receives. If the
 * effect throws, nothing is stored, and the service delivers the event again.
 *
 * @param endpoint Separates endpoints, because two of them may get the same event.
 */
export function inTransaction<Client extends PostgresClient>(
  pool: PostgresPool<Client>,
  endpoint: string,
  effect: (event: WebhookEvent, client: Client) => Promise<unknown>,
): (event: WebhookEvent) => Promise<void> {
  return async (event) => {
    const client = await pool.connect();
    let committed = false;
    // Without a listener, a connection that breaks between two queries ends the process. The next query fails.
    const ignore = () => {};
    client.on('error', ignore);
    try {
      await client.query('BEGIN');
      // A duplicate in another process waits here until the first one finishes. The service waits
      // 30 s.
      await client.query("SET LOCAL lock_timeout = '20s'");
      const { rowCount } = await client.query(
        'INSERT INTO partner_events (endpoint, event) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        [endpoint, event.deliveryId],
      );
      if (rowCount === 1) await effect(event, client);
      // If a query failed and the effect caught the error, PostgreSQL turns COMMIT into ROLLBACK.
      const { command } = await client.query('COMMIT');
      if (command !== 'COMMIT') throw new Error('a query of the effect has failed, so nothing was committed');
      committed = true;
    } finally {
      // PostgreSQL rolls back what a closed connection leaves.
      client.release(!committed);
      client.off('error', ignore);
    }
  };
}

/**
 * Returns a guard for several processes, for effects outside of the database. If a process dies
 * while it handles an event, the event can be handled again after `handlingSeconds`.
 */
export function postgresReplayGuard(pool: PostgresPool, endpoint: string, handlingSeconds = 60): Required<ReplayGuard> {
  const holder = randomUUID();
  return {
    async seen(id) {
      const { rowCount } = await pool.query(
        `INSERT INTO partner_deliveries AS known (endpoint, id, holder, held_until)
         VALUES ($1, $2, $3, clock_timestamp() + make_interval(secs => $4))
         ON CONFLICT (endpoint, id) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
         WHERE known.held_until < clock_timestamp()`,
        [endpoint, id, holder, handlingSeconds],
      );
      if (rowCount === 1) return false;
      const { rows } = await pool.query(
        'SELECT 1 FROM partner_deliveries WHERE endpoint = $1 AND id = $2 AND holder IS NULL',
        [endpoint, id],
      );
      return rows.length === 1 || 'handling';
    },
    async handled(id) {
      await pool.query(
        `INSERT INTO partner_deliveries (endpoint, id) VALUES ($1, $2)
         ON CONFLICT (endpoint, id) DO UPDATE SET holder = NULL, held_until = NULL`,
        [endpoint, id],
      );
    },
    async forget(id) {
      await pool.query('DELETE FROM partner_deliveries WHERE endpoint = $1 AND id = $2 AND holder = $3', [
        endpoint,
        id,
        holder,
      ]);
    },
  };
}
