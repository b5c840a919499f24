import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decimal } from 'partner-sdk';
import type { SandboxOptions } from 'partner-sdk/sandbox';
import { expect } from 'vitest';
import { ADDRESSES } from '../../sandbox/support/addresses.js';
import { type Change, changed, exampleOf, Program, type Run } from './program.js';

const EXAMPLE = exampleOf('payouts/payout-job.ts');
const RECONCILE = exampleOf('reconcile.ts');

/** The tests do not wait as long as the job does. */
const FASTER = [
  ['const LOOK_MS = 2_000;', 'const LOOK_MS = 100;'],
  ['const FOLLOW_MS = 120_000;', 'const FOLLOW_MS = 5_000;'],
  ['const SETTLE_MS = 60_000;', 'const SETTLE_MS = 5_000;'],
] as const;

/** Withdrawals arrive soon, by a clock that runs. */
const SOON: SandboxOptions = { realTime: true, settings: { executionTimes: { 'withdrawal.finish': 150 } } };

interface Holding {
  readonly asset: string;
  readonly total: string;
  readonly held: string;
}

interface Withdrawn {
  readonly ref_id: string;
  readonly amount: string;
  readonly fee: string;
  readonly status: string;
}

/** The payout job, its file, and the service that it pays with. */
export class Payouts extends Program {
  readonly rows: readonly { readonly id: string; readonly amount: string }[];
  readonly #file: string;
  readonly #before: Decimal;

  constructor(path: string, file: string, count: number, options: SandboxOptions) {
    super(path, file, { ...SOON, ...options });
    this.#file = file;
    const { methodId } = this.sandbox.fixtures;
    this.rows = Array.from({ length: count }, (_, index) => ({
      id: `inv-${index + 1}`,
      asset_symbol: 'BTC',
      amount: `0.0003${index + 1}`,
      method_id: methodId,
      address: ADDRESSES.bitcoin,
    }));
    this.#before = this.#bitcoin();
  }

  get bookFile(): string {
    return `${this.#file}.book`;
  }

  async write(rows: readonly object[]): Promise<void> {
    await writeFile(this.#file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }

  /** As if it was killed in the middle of a line. */
  async tearBook(): Promise<void> {
    await appendFile(this.bookFile, '{"id":"inv-1","ref');
  }

  async writeBook(lines: readonly object[]): Promise<void> {
    await writeFile(this.bookFile, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }

  async readBook(): Promise<Record<string, unknown>[]> {
    const lines = (await readFile(this.bookFile, 'utf8')).split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line));
  }

  /** Runs the shipped reconciliation of the sandbox's first day, with the totals that the job has written. */
  async reconcile(): Promise<Run> {
    this.sandbox.advance(86_400_000);
    this.sandbox.advance(86_400_000);
    const day = new Date(this.sandbox.journal[0]?.at ?? 0).toISOString().slice(0, 10);
    const books = `${this.#file}.books`;
    return this.run({}, [RECONCILE, day, books, this.accountId, '--totals', `${this.#file}.totals.json`]);
  }

  withdrawals(): Withdrawn[] {
    const withdrawals = (this.#account().records['withdrawals'] ?? []) as [string, Withdrawn][];
    return withdrawals.map(([, withdrawal]) => withdrawal);
  }

  /** One withdrawal for each payout, and the account has lost their amounts and fees, no more. */
  expectEachOnce(): void {
    const made = this.withdrawals();
    expect(made.map(({ amount }) => amount).sort()).toEqual(this.rows.map(({ amount }) => amount).sort());
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set(['success']));
    const sum = made.reduce((all, { amount, fee }) => all.plus(amount).plus(fee), new Decimal(0));
    expect(this.#before.minus(this.#bitcoin()).toFixed()).toBe(sum.toFixed());
    const { held } = this.#holding();
    expect(held).toBe(this.#heldBefore);
  }

  readonly #heldBefore = this.#holding().held;

  #bitcoin(): Decimal {
    return new Decimal(this.#holding().total);
  }

  #holding(): Holding {
    return this.#account().holdings.find(({ asset }) => asset === 'crypto:BTC') as Holding;
  }

  #account() {
    const { accounts } = this.sandbox.snapshot() as unknown as {
      accounts: { id: string; holdings: Holding[]; records: Record<string, unknown> }[];
    };
    return accounts.find(({ id }) => id === this.accountId) as (typeof accounts)[number];
  }
}

/** Gives the job with files of its own. `changes` make another program of it. */
export async function paying(
  given: {
    readonly count: number;
    readonly sandbox?: SandboxOptions;
    readonly changes?: readonly Change[];
  },
  use: (payouts: Payouts) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'payouts-'));
  const path = await changed(EXAMPLE, join(directory, 'program'), [...FASTER, ...(given.changes ?? [])]);
  const payouts = new Payouts(path, join(directory, 'payouts.jsonl'), given.count, given.sandbox ?? {});
  try {
    await payouts.write(payouts.rows);
    await payouts.listen();
    await use(payouts);
  } finally {
    await payouts.sandbox.close();
    await rm(directory, { recursive: true });
  }
}
