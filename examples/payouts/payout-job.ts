/**
 * Pays the payouts of a file, each exactly once, however often the job is killed. Start the job
 * again until it exits with 0 or 2. Run only one job for a file at a time.
 *
 *     node --import tsx examples/payouts/payout-job.ts payouts.jsonl
 *
 * Don't start it with `npx tsx`: npx keeps SIGTERM to itself, ends, and leaves the job running.
 *
 * One payout a line:
 *
 *     {"id": "inv-17", "asset_symbol": "BTC", "amount": "0.015", "method_id": "6f…", "address": "bc1q…"}
 *
 * Set PARTNER_BASE_URL, PARTNER_API_KEY, PARTNER_API_SECRET and PARTNER_ACCOUNT_ID.
 *
 * The job keeps its notes in `payouts.jsonl.book`. At its end it writes
 * `payouts.jsonl.totals.json`, which says what each withdrawal cost with its fee, for
 * `examples/reconcile.ts … --totals`.
 *
 * Exit codes: 0, all payouts have arrived. 1, start the job again. 2, a person must look at the
 * payouts that the job names.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConflictError,
  idempotencyKeyFor,
  isPartnerError,
  type KeyedWrite,
  PartnerClient,
  type RequestOptions,
} from 'partner-sdk';
import { Book, type Payout } from './book.js';
import { endOf, isFinal } from './final.js';

/**
 * The service does not document how long it remembers an idempotency key. Ask
 * (docs/reference/questions.md of the package), and write a shorter time here. The job doesn't send
 * a payout again that was begun longer ago than this.
 */
const KEYS_LAST_MS = 12 * 60 * 60 * 1_000;

/** How far a clock may be set back. After more than this, nobody knows how old a payout is. */
const CLOCK_MS = 60_000;

/** Number of payouts in progress at once. The client sends the requests of an API key in order. */
const AT_ONCE = 16;

/**
 * For how long the job retries a call whose outcome is unknown. After that, the next run retries
 * it.
 */
const SETTLE_MS = 60_000;

/** Time between two reads of the ledger, and for all of them. After that, the next run reads it. */
const LOOK_MS = 2_000;
const FOLLOW_MS = 120_000;

/** `rejected`: nothing was paid. `unclear`: only a person who looks at the account can tell. */
type Result = 'paid' | 'failed' | 'open' | 'rejected' | 'unclear';

async function main(): Promise<void> {
  const [file] = process.argv.slice(2);
  const { PARTNER_BASE_URL, PARTNER_ACCOUNT_ID: accountId } = process.env;
  if (file === undefined || !accountId) throw new Error('usage: PARTNER_ACCOUNT_ID=… payout-job.ts <file>');
  const payouts = await readPayouts(file);
  const book = await Book.open(`${file}.book`, `${PARTNER_BASE_URL} ${accountId}`);
  try {
    await using client = new PartnerClient();
    const job = new Job(client, accountId, book);
    const results = await job.run(payouts);
    const counts: Record<Result, number> = { paid: 0, failed: 0, open: 0, rejected: 0, unclear: 0 };
    for (const result of results) counts[result]++;
    await book.writeTotals(`${file}.totals.json`);
    console.log(`${payouts.length} payouts: ${JSON.stringify(counts)}`);
    if (counts.failed + counts.rejected + counts.unclear > 0) process.exitCode = 2;
    if (counts.open > 0) process.exitCode = 1;
  } finally {
    await book.close();
  }
}

class Job {
  readonly #client: PartnerClient;
  readonly #accountId: string;
  readonly #book: Book;

  constructor(client: PartnerClient, accountId: string, book: Book) {
    this.#client = client;
    this.#accountId = accountId;
    this.#book = book;
  }

  async run(payouts: readonly Payout[]): Promise<Result[]> {
    const results = new Map<string, Result>();
    const left = payouts.values();
    const worker = async () => {
      for (const payout of left) results.set(payout.id, await this.#send(payout));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    await this.#follow(payouts);
    return payouts.map(({ id }) => {
      const result = results.get(id) ?? 'open';
      return result === 'open' ? (this.#book.get(id).end ?? result) : result;
    });
  }

  /**
   * Sends a payout unless its `ref_id` is known. The payout is open until the ledger shows a final
   * status.
   */
  async #send(payout: Payout): Promise<Result> {
    const { id } = payout;
    const known = this.#book.get(id);
    const begun = typeof known.begun === 'number';
    if (begun && !isSame(payout, known.payout)) return told(id, 'unclear', 'it was sent with other contents');
    if (known.ref_id !== undefined) return 'open';
    const age = begun ? Date.now() - known.begun : 0;
    if (age > KEYS_LAST_MS) return told(id, 'unclear', 'it was sent too long ago');
    if (age < -CLOCK_MS) return told(id, 'unclear', 'the clock was wrong when it was sent');
    try {
      await this.#saveAddress(payout, known.payout !== undefined);
      // Noted on the disk before it is sent, because a later run must know that it may have been
      // sent.
      if (!begun) await this.#book.note(id, { payout, begun: Date.now() });
      await this.#book.note(id, await this.#withdraw(payout));
      return 'open';
    } catch (error) {
      if (!isPartnerError(error)) throw error;
      const mayBeApplied = error.outcome !== 'not_applied';
      const isUnclear = begun || error instanceof ConflictError;
      // Only the first attempt can prove that nothing was sent.
      if (!mayBeApplied && !isUnclear) await this.#book.note(id, { begun: null });
      // Unknown, accepted with a lost response, or a trouble that passes: the next run retries with
      // the same idempotency key.
      if (mayBeApplied || !isFinal(error)) return told(id, 'open', error);
      // Another request may have been accepted: one of an earlier run, or one with this idempotency
      // key.
      return told(id, isUnclear ? 'unclear' : 'rejected', error);
    }
  }

  /** Saves the address under a name that belongs to this payout alone. */
  async #saveAddress({ id, asset_symbol, method_id, address }: Payout, isKnown: boolean): Promise<void> {
    const { withdrawalAddresses } = this.#client.funds;
    const body = { asset_symbol, method_id, key: nameOf(id), address };
    const save = (options: RequestOptions) => withdrawalAddresses.save(this.#accountId, body, options);
    try {
      // With the address, so that a corrected one isn't mistaken for a retry. It can't be saved twice, as the name is unique.
      const first = save({ idempotencyKey: this.#keyOf('funds.withdrawalAddresses.save', id, address) });
      await first.catch((error: unknown) => this.#client.settle(error, save, { timeout: SETTLE_MS }));
    } catch (error) {
      // If the book doesn't know the payout, another file or a lost book may have paid it.
      if (!(error instanceof ConflictError) || !isKnown) throw error;
      // The service has forgotten the idempotency key of an earlier run, so our own address has the
      // name.
      for await (const saved of withdrawalAddresses.list(this.#accountId, { asset_symbol })) {
        if (saved.key === body.key && saved.address === address) return;
      }
      throw error;
    }
  }

  /** Returns the one withdrawal of this payout, whichever run has created it, and what it costs. */
  async #withdraw({ id, asset_symbol, amount }: Payout): Promise<{ ref_id: string; total?: string }> {
    const body = { asset_symbol, key: nameOf(id), amount };
    const withdraw = (options: RequestOptions) => this.#client.funds.withdrawals.create(this.#accountId, body, options);
    const first = withdraw({ idempotencyKey: this.#keyOf('funds.withdrawals.create', id) });
    const { ref_id, total } = await first.catch((error: unknown) =>
      this.#client.settle(error, withdraw, { timeout: SETTLE_MS }),
    );
    return { ref_id, ...(total && { total: total.toFixed() }) };
  }

  /** Reads the ledger until it shows a final status of each payout that has a `ref_id`. */
  async #follow(payouts: readonly Payout[]): Promise<void> {
    const waiting = new Map<string, string>();
    for (const { id } of payouts) {
      const { ref_id, end } = this.#book.get(id);
      if (ref_id !== undefined && end === undefined) waiting.set(ref_id, id);
    }
    for (const until = Date.now() + FOLLOW_MS; waiting.size > 0 && Date.now() < until; await sleep(LOOK_MS)) {
      try {
        await this.#look(waiting);
      } catch (error) {
        if (!isPartnerError(error)) throw error;
        console.error(`the ledger cannot be read now: ${error}`);
      }
    }
  }

  async #look(waiting: Map<string, string>): Promise<void> {
    let unseen = waiting.size;
    for await (const entry of this.#client.funds.transactions.list({ type: 'withdrawal', page_size: 500 })) {
      const id = waiting.get(entry.ref_id);
      if (id === undefined) continue;
      const end = endOf(entry.status);
      if (end !== undefined) {
        await this.#book.note(id, { end });
        waiting.delete(entry.ref_id);
        if (end === 'failed') told(id, 'failed', 'the ledger says so: the money is back in the account');
      }
      unseen -= 1;
      if (unseen === 0) break;
    }
  }

  /** A payout has the same idempotency key in every run, so the service creates it once. */
  #keyOf(operation: KeyedWrite, ...ids: string[]): string {
    return idempotencyKeyFor('payouts', operation, this.#accountId, ...ids);
  }
}

const nameOf = (id: string): string => `payout ${id}`;

const isSame = (one: Payout, other: Payout | undefined): boolean => JSON.stringify(one) === JSON.stringify(other);

function told(id: string, result: Result, why: unknown): Result {
  console.error(`${id} is ${result}: ${why}`);
  return result;
}

/** Reads the whole file before anything is sent. Each payout needs an id of its own. */
async function readPayouts(file: string): Promise<Payout[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const ids = new Set<string>();
  return lines.map((line) => {
    const { id, asset_symbol, amount, method_id, address } = JSON.parse(line) as Payout;
    if (typeof id !== 'string' || id === '' || ids.has(id))
      throw new Error(`${file}: id ${id} is missing or not unique`);
    // JSON.parse would already have lost digits of a number.
    if (typeof amount !== 'string') throw new Error(`${file}: amount of ${id} must be a string`);
    ids.add(id);
    return { id, asset_symbol, amount, method_id, address };
  });
}

main().catch((error: unknown) => {
  // For example a wrong file or a missing variable. Starting the job again wouldn't help.
  console.error(error);
  process.exitCode = 2;
});
