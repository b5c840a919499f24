// Either database, behind the same few functions. `effect` books one unit for the event, or dies on the way.
import { setTimeout as sleep } from 'node:timers/promises';

export const ENDPOINT = 'shop';

/** Opens the database of this kind: the recipe's handler and guard, and the books that its effect writes. */
export async function openStore(kind, place) {
  return kind === 'postgres' ? openPostgres(place) : openSqlite(place);
}

async function openPostgres(host) {
  const { default: pg } = await import('pg');
  const recipe = await import('./dist/postgres.js');
  const pool = new pg.Pool({ host, user: 'recipe', database: 'postgres' });
  // A connection that breaks while it is idle is none of the program's business.
  pool.on('error', () => {});
  const handlerOf = (effect) => recipe.inTransaction(pool, ENDPOINT, effect);
  return {
    prepare: async () => {
      await pool.query(recipe.SCHEMA);
      await pool.query('CREATE TABLE bookings (event text)');
    },
    booking: async ({ deliveryId }, client, dies) => {
      dies();
      await client.query('INSERT INTO bookings VALUES ($1)', [deliveryId]);
      await sleep(5);
      dies();
    },
    handlerOf,
    swallowing: handlerOf(async (_event, client) => client.query('SELECT nonsense').catch(() => {})),
    /** The database restarts while the effect waits for something else. */
    breaking: handlerOf(async (_event, client) => {
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
      await pool.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
      await sleep(100);
      await client.query('SELECT 1');
    }),
    guardOf: (seconds) => recipe.postgresReplayGuard(pool, ENDPOINT, seconds),
    bookings: async () =>
      (await pool.query('SELECT event FROM bookings ORDER BY event')).rows.map(({ event }) => event),
    noGuard: recipe.NO_GUARD,
    close: () => pool.end(),
  };
}

async function openSqlite(path) {
  const { DatabaseSync } = await import('node:sqlite');
  const recipe = await import('./dist/sqlite.js');
  const database = new DatabaseSync(path);
  database.exec(recipe.SCHEMA);
  const handlerOf = (effect) => recipe.inTransaction(database, ENDPOINT, effect);
  return {
    prepare: () => database.exec('CREATE TABLE bookings (event TEXT)'),
    booking: ({ deliveryId }, client, dies) => {
      dies();
      client.prepare('INSERT INTO bookings VALUES (?)').run(deliveryId);
      dies();
    },
    handlerOf,
    swallowing: handlerOf(async () => {}),
    guardOf: (seconds) => recipe.sqliteReplayGuard(database, ENDPOINT, seconds),
    bookings: () =>
      database
        .prepare('SELECT event FROM bookings ORDER BY event')
        .all()
        .map(({ event }) => event),
    noGuard: recipe.NO_GUARD,
    close: () => database.close(),
  };
}
