/**
 * Payouts whose ends arrive by webhook, in a SQLite database. A delivery may come before the
 * response to the withdrawal, twice, or never. See docs/money/payouts-by-webhook.md of the package.
 */
import { ConflictError, idempotencyKeyFor, isPartnerError, type PartnerClient, type RequestOptions } from 'partner-sdk';
import type { WebhookEvent } from 'partner-sdk/webhooks';
import { type SqliteDatabase, transaction } from '../sql/sqlite.js';
import { endOf, isFinal } from './final.js';

export const PAYOUT_SCHEMA = `
CREATE TABLE IF NOT EXISTS payouts (
  id TEXT PRIMARY KEY,                  -- from your own books, for example the number of an invoice
  asset_symbol TEXT NOT NULL,
  address_key TEXT NOT NULL,            -- name of a saved withdrawal address
  amount TEXT NOT NULL,
  begun_at INTEGER,                     -- before the first request, in ms since the epoch
  tried_at INTEGER NOT NULL DEFAULT 0,  -- before the last request
  ref_id TEXT UNIQUE,                   -- of its withdrawal, once a response has arrived
  total TEXT,                           -- what the account pays with the fee
  state TEXT NOT NULL DEFAULT 'open'    -- then paid, failed, rejected or unclear
) WITHOUT ROWID;
-- How withdrawals ended, also those whose payout has no ref_id yet.
CREATE TABLE IF NOT EXISTS withdrawal_ends (
  ref_id TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  recorded_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
) WITHOUT ROWID;
-- What the rest of your program does about a payout that has ended, for example tell the customer.
CREATE TABLE IF NOT EXISTS payout_notices (payout TEXT NOT NULL, state TEXT NOT NULL)`;

/**
 * The service does not document how long it remembers an idempotency key. Ask
 * (docs/reference/questions.md of the package), and write a shorter time here. A payout that was
 * begun longer ago than this isn't sent again.
 */
const KEYS_LAST_MS = 12 * 60 * 60 * 1_000;

/** How far a clock may be set back. After more than this, nobody knows how old a payout is. */
const CLOCK_MS = 60_000;

/**
 * For how long a withdrawal of unknown outcome is retried. After that, the next `send` retries it.
 */
const SETTLE_MS = 60_000;

/** Number of payouts that one `send` sends. The next one sends the others. */
const AT_ONCE = 100;

interface Row {
  readonly id: string;
  readonly asset_symbol: string;
  readonly address_key: string;
  readonly amount: string;
  readonly begun_at: number | null;
  readonly tried_at: number;
}

/** `rejected`: nothing was paid. `unclear`: only a person who looks at the account can tell. */
type State = 'paid' | 'failed' | 'rejected' | 'unclear';

export class Payouts {
  readonly #client: PartnerClient;
  readonly #database: SqliteDatabase;
  readonly #accountId: string;
  /** Ids of the payouts that a `send` of this process is sending. */
  readonly #sending = new Set<string>();

  constructor(client: PartnerClient, database: SqliteDatabase, accountId: string) {
    if (accountId === '') throw new Error('the account id is empty: set PARTNER_ACCOUNT_ID');
    this.#client = client;
    this.#database = database;
    this.#accountId = accountId;
  }

  /**
   * Sends the payouts that have no `ref_id` yet: new ones, and those whose response was lost. You can
   * call it again while it runs, for example right after you have inserted a row: the second call
   * doesn't send, or wait for, the payouts that the first one is sending.
   */
  async send(): Promise<void> {
    const rows = this.#database
      .prepare("SELECT * FROM payouts WHERE state = 'open' AND ref_id IS NULL ORDER BY tried_at LIMIT ?")
      .all(AT_ONCE) as Row[];
    const free = rows.filter(({ id }) => !this.#sending.has(id));
    await Promise.all(free.map((row) => this.#sendAlone(row)));
  }

  /** Call it in the transaction that records the event. */
  readonly onEvent = ({ type, data }: WebhookEvent): undefined => {
    if (type !== 'withdrawal.completed' && type !== 'withdrawal.failed') return;
    const refId = data['ref_id'];
    if (typeof refId === 'string') this.#end(refId, type === 'withdrawal.completed' ? 'paid' : 'failed');
    // No payload is documented. The pass over the ledger finds the withdrawal.
    else console.error(`${type} has no ref_id`);
  };

  /** Finds in the ledger how payouts ended whose deliveries never came. */
  async readLedger(): Promise<void> {
    const isOurs = this.#database.prepare('SELECT 1 AS found FROM payouts WHERE ref_id = ?');
    for await (const { ref_id, status } of this.#client.funds.transactions.list({
      type: 'withdrawal',
      page_size: 500,
    })) {
      const end = endOf(status);
      if (end === undefined || isOurs.get(ref_id) === undefined) continue;
      transaction(this.#database, () => this.#end(ref_id, end));
    }
  }

  async #sendAlone(row: Row): Promise<void> {
    this.#sending.add(row.id);
    try {
      await this.#send(row);
    } finally {
      this.#sending.delete(row.id);
    }
  }

  async #send(row: Row): Promise<void> {
    const { id, begun_at, tried_at } = row;
    const begun = begun_at !== null;
    const now = Date.now();
    if (begun && now - begun_at > KEYS_LAST_MS) return this.#close(id, 'unclear', 'it was sent too long ago');
    if (begun && begun_at - now > CLOCK_MS) return this.#close(id, 'unclear', 'the clock was wrong when it was sent');
    // Recorded before it is sent, because a later process must know that it may have been sent.
    const begin = this.#database.prepare(
      'UPDATE payouts SET tried_at = ?, begun_at = coalesce(begun_at, ?) WHERE id = ? AND tried_at = ?',
    );
    if (Number(begin.run(now, now, id, tried_at).changes) === 0) return; // another process is sending it
    try {
      const { ref_id, total } = await this.#withdraw(row);
      transaction(this.#database, () => {
        const update = this.#database.prepare('UPDATE payouts SET ref_id = ?, total = ? WHERE id = ?');
        update.run(ref_id, total?.toFixed() ?? '', id);
        // The delivery may have come first.
        return this.#match(ref_id);
      });
    } catch (error) {
      if (!isPartnerError(error)) throw error;
      const mayBeApplied = error.outcome !== 'not_applied';
      // Only the first attempt can prove that nothing was sent: a later one, or one of another process,
      // knows nothing about the first.
      const reset = this.#database.prepare('UPDATE payouts SET begun_at = NULL WHERE id = ? AND tried_at = ?');
      const isUnsent = !begun && !mayBeApplied && Number(reset.run(id, now).changes) === 1;
      // Unknown, accepted with a lost response, or a trouble that passes: the next `send` retries
      // with the same idempotency key.
      if (mayBeApplied || !isFinal(error)) console.error(`payout ${id} stays open: ${error}`);
      // Another request may have been accepted: an earlier one, or one with this idempotency key.
      else this.#close(id, !isUnsent || error instanceof ConflictError ? 'unclear' : 'rejected', error);
    }
  }

  /** Returns the one withdrawal of this payout, whichever process has created it. */
  #withdraw({ id, asset_symbol, address_key, amount }: Row) {
    const body = { asset_symbol, key: address_key, amount };
    const withdraw = (options: RequestOptions) => this.#client.funds.withdrawals.create(this.#accountId, body, options);
    const idempotencyKey = idempotencyKeyFor('payouts', 'funds.withdrawals.create', this.#accountId, id);
    return withdraw({ idempotencyKey }).catch((error: unknown) =>
      this.#client.settle(error, withdraw, { timeout: SETTLE_MS }),
    );
  }

  #close(id: string, state: State, why: unknown): void {
    // A delivery may have closed it meanwhile.
    const close = this.#database.prepare("UPDATE payouts SET state = ? WHERE id = ? AND state = 'open'");
    if (Number(close.run(state, id).changes) === 1) console.error(`payout ${id} is ${state}: ${why}`);
  }

  /** Stores how a withdrawal ended, whether or not its payout is known. Needs a transaction. */
  #end(refId: string, state: State): undefined {
    this.#database
      .prepare('INSERT INTO withdrawal_ends (ref_id, state) VALUES (?, ?) ON CONFLICT DO NOTHING')
      .run(refId, state);
    const first = this.#database.prepare('SELECT state FROM withdrawal_ends WHERE ref_id = ?').get(refId);
    if ((first as { state: string }).state !== state)
      console.error(`withdrawal ${refId} has two ends, the second is ${state}: a person must look at it`);
    this.#match(refId);
  }

  /**
   * Gives a payout its end as soon as both its `ref_id` and the end are stored. Needs a
   * transaction.
   */
  #match(refId: string): undefined {
    const { changes } = this.#database
      .prepare(
        `UPDATE payouts SET state = (SELECT state FROM withdrawal_ends WHERE ref_id = payouts.ref_id)
         WHERE state = 'open' AND ref_id = ? AND ref_id IN (SELECT ref_id FROM withdrawal_ends)`,
      )
      .run(refId);
    if (Number(changes) === 0) return;
    // Once for each payout, and in the same transaction: your own effects belong here.
    this.#database
      .prepare('INSERT INTO payout_notices (payout, state) SELECT id, state FROM payouts WHERE ref_id = ?')
      .run(refId);
  }
}
