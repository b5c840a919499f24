/**
 * Webhooks and SQLite, with `node:sqlite` (Node 22.13) or npm's `better-sqlite3`.
 *
 *     database.exec(SCHEMA);
 *     nodeWebhookHandler({ secret, guard: NO_GUARD, onEvent: inTransaction(database, 'shop', effect) });
 */
import { randomUUID } from 'node:crypto';
import type { ReplayGuard, WebhookEvent } from 'partner-sdk/webhooks';

/** Each connection needs the PRAGMAs. `FULL` keeps a commit even if the power fails. */
export const SCHEMA = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA busy_timeout = 5000;
CREATE TABLE IF NOT EXISTS partner_events (
  endpoint TEXT,
  event TEXT,
  handled_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (endpoint, event)
) WITHOUT ROWID;
-- For the guard. The holder handles the event until then (ms). Both are NULL when the event is handled.
CREATE TABLE IF NOT EXISTS partner_deliveries (
  endpoint TEXT,
  id TEXT,
  holder TEXT,
  held_until INTEGER,
  recorded_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (endpoint, id)
) WITHOUT ROWID`;

/** The parts of a database of `node:sqlite` or `better-sqlite3` that this file uses. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    run(...values: (string | number)[]): { readonly changes: number | bigint };
    get(...values: (string | number)[]): unknown;
    all(...values: (string | number)[]): unknown[];
  };
}

/** The transaction recognises duplicates. */
export const NO_GUARD: ReplayGuard = { seen: () => false, forget: () => {} };

/**
 * Returns a handler whose effect takes place exactly once, because the event is recorded in the
 * same transaction. The effect must not wait, because other work would get into its transaction. If
 * the effect throws, nothing is stored, and the service delivers the event again.
 *
 * @param endpoint Separates endpoints, because two of them may get the same event.
 */
export function inTransaction<Database extends SqliteDatabase>(
  database: Database,
  endpoint: string,
  effect: (event: WebhookEvent, database: Database) => undefined,
): (event: WebhookEvent) => void {
  return (event) => {
    const insert = database.prepare(
      'INSERT INTO partner_events (endpoint, event) VALUES (?, ?) ON CONFLICT DO NOTHING',
    );
    transaction(database, () => {
      const { changes } = insert.run(endpoint, event.deliveryId);
      return Number(changes) === 1 ? effect(event, database) : undefined;
    });
  };
}

/**
 * Runs the work in a transaction, or rolls back everything if the work throws. The work must not
 * wait.
 */
export function transaction(database: SqliteDatabase, work: () => undefined): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result: unknown = work();
    if (result !== undefined) throw new Error('the effect must return nothing, and no promise');
    database.exec('COMMIT');
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function rollBack(database: SqliteDatabase): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // SQLite has rolled back itself, for example because the disk is full.
  }
}

/**
 * Returns a guard for several processes, for effects outside of the database. If a process dies
 * while it handles an event, the event can be handled again after `handlingSeconds`.
 */
export function sqliteReplayGuard(
  database: SqliteDatabase,
  endpoint: string,
  handlingSeconds = 60,
): Required<ReplayGuard> {
  const holder = randomUUID();
  return {
    seen(id) {
      const now = Date.now();
      const { changes } = database
        .prepare(
          `INSERT INTO partner_deliveries (endpoint, id, holder, held_until) VALUES (?, ?, ?, ?)
           ON CONFLICT (endpoint, id) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
           WHERE held_until < ?`,
        )
        .run(endpoint, id, holder, now + handlingSeconds * 1000, now);
      if (Number(changes) === 1) return false;
      const handled = database.prepare(
        'SELECT 1 AS found FROM partner_deliveries WHERE endpoint = ? AND id = ? AND holder IS NULL',
      );
      return handled.get(endpoint, id) !== undefined || 'handling';
    },
    handled(id) {
      database
        .prepare(
          `INSERT INTO partner_deliveries (endpoint, id) VALUES (?, ?)
           ON CONFLICT (endpoint, id) DO UPDATE SET holder = NULL, held_until = NULL`,
        )
        .run(endpoint, id);
    },
    forget(id) {
      database
        .prepare('DELETE FROM partner_deliveries WHERE endpoint = ? AND id = ? AND holder = ?')
        .run(endpoint, id, holder);
    },
  };
}
