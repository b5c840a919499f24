/**
 * Nightly reconciliation. Writes the opening balances, the movements and the closing balances of a
 * day as CSV, and saves the settlement reports and the funding ledger of that day beside them.
 *
 *     npx tsx examples/reconcile.ts 2026-01-15 ./books ACCOUNT-ID... --totals totals.json
 *
 * The ledger shows withdrawals without their fees. `totals.json` says what they cost with fees, as
 * your program stored it from each response: `{ "<ref_id>": "<total>" }`. The job of
 * `examples/payouts` writes such a file. Of the programs of `examples/jobs`, pass the folder `done`.
 * You may pass several files and folders. A fee that none of them knows is reported as a difference.
 *
 * Reads PARTNER_BASE_URL, PARTNER_API_KEY and PARTNER_API_SECRET. Exits with 1 if an asset has a
 * difference.
 */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Decimal, type FundsTransaction, PartnerClient, type PortfolioTransaction } from 'partner-sdk';
import { type Download, downloadReports } from './download-report.js';

/** One asset in all accounts. */
export interface Line {
  /** For example `crypto:BTC`. */
  readonly asset: string;
  readonly opening: Decimal;
  readonly received: Decimal;
  readonly spent: Decimal;
  /** Includes the fees of withdrawals whose totals are known. */
  readonly withdrawn: Decimal;
  readonly closing: Decimal;
  /**
   * 0 if transactions and ledger explain the day. Otherwise for example the unknown fee of a
   * withdrawal, a transfer, or a withdrawal that began on one day and left the account on the next:
   * it is a difference on both days, and their sum is 0.
   */
  readonly difference: Decimal;
}

type Column = 'opening' | 'received' | 'spent' | 'withdrawn' | 'closing';

/**
 * Writes the books of a day (UTC, for example `2026-01-15`) into a directory. Returns their lines.
 *
 * @param totals What withdrawals cost with their fees, by `ref_id`.
 * @param download Downloads a settlement report. Default: Node's `fetch`.
 */
export async function reconcile(
  client: PartnerClient,
  accountIds: readonly string[],
  day: string,
  directory: string,
  totals: Readonly<Record<string, string>> = {},
  download: Download = fetch,
): Promise<Line[]> {
  await mkdir(directory, { recursive: true });
  const start = new Date(`${day}T00:00:00Z`);
  const period = { start_timestamp: start.toISOString(), end_timestamp: dayAfter(start).toISOString() };
  const sums = new Sums();
  const transactions: string[][] = [];
  for (const accountId of accountIds) {
    const { items } = await client.accounts.portfolio.history(accountId, period);
    const [first, last] = [items[0], items.at(-1)];
    if (first?.timestamp === undefined || last?.timestamp === undefined) throw new Error(`no history of ${accountId}`);
    for (const one of first.assets ?? []) sums.add(one, 'opening', one.amount);
    for (const one of last.assets ?? []) sums.add(one, 'closing', one.amount);
    // From the moment of the first balances to that of the last.
    const between = { start_timestamp: first.timestamp, end_timestamp: last.timestamp };
    for await (const one of client.accounts.portfolio.transactions.list(accountId, between)) {
      // The opening balances already include what happened at the first moment.
      if (Date.parse(one.timestamp ?? '') <= Date.parse(first.timestamp)) continue;
      if (!one.type?.endsWith('_failed')) addTransaction(sums, one);
      transactions.push([
        accountId,
        one.id,
        one.timestamp ?? '',
        one.type ?? '',
        ...cells(one.spend?.total),
        ...cells(one.receive?.total),
      ]);
    }
  }
  const ledger = await ledgerOf(client, day);
  for (const { ref_id, type, asset, amount, status } of ledger) {
    // A failed withdrawal has left no account.
    if (type !== 'withdrawal' || status === 'failure' || status === 'failed' || !asset || !amount) continue;
    sums.add(asset, 'withdrawn', new Decimal(totals[ref_id] ?? amount));
  }
  const lines = sums.lines();
  const file = (name: string, rows: readonly (readonly string[])[]) => writeFile(join(directory, name), csv(rows));
  await file(`transactions-${day}.csv`, transactions);
  await file(
    `ledger-${day}.csv`,
    ledger.map((one) => [...[one.ref_id, one.timestamp ?? '', one.type ?? '', one.status ?? ''], ...cells(one)]),
  );
  await file(`balances-${day}.csv`, [COLUMNS, ...lines.map((line) => COLUMNS.map((name) => written(line[name])))]);
  await downloadReports(client, day, directory, download);
  return lines;
}

const COLUMNS = ['asset', 'opening', 'received', 'spent', 'withdrawn', 'closing', 'difference'] as const;

/** Deposits and withdrawals that began on a day. */
async function ledgerOf(client: PartnerClient, day: string): Promise<FundsTransaction[]> {
  const found: FundsTransaction[] = [];
  for (const type of ['deposit', 'withdrawal'] as const) {
    for await (const one of client.funds.transactions.list({ type, page_size: 500 })) {
      if (one.timestamp?.startsWith(day)) found.push(one);
    }
  }
  return found;
}

function addTransaction(sums: Sums, { spend, receive }: PortfolioTransaction): void {
  if (spend?.total) sums.add(spend.total, 'spent', spend.total.amount);
  if (receive?.total) sums.add(receive.total, 'received', receive.total.amount);
}

class Sums {
  readonly #byAsset = new Map<string, Record<Column, Decimal>>();

  add({ type, symbol }: { type: string; symbol: string }, column: Column, amount: Decimal): void {
    const zero = new Decimal(0);
    const asset = `${type}:${symbol}`;
    const sums = this.#byAsset.get(asset) ?? {
      opening: zero,
      received: zero,
      spent: zero,
      withdrawn: zero,
      closing: zero,
    };
    this.#byAsset.set(asset, { ...sums, [column]: sums[column].plus(amount) });
  }

  lines(): Line[] {
    return Array.from(this.#byAsset, ([asset, sums]) => {
      const expected = sums.opening.plus(sums.received).minus(sums.spent).minus(sums.withdrawn);
      return { asset, ...sums, difference: sums.closing.minus(expected) };
    });
  }
}

/** Reads a file of totals, or a folder of files `{ "ref_id": …, "total": … }`, one for each withdrawal. */
async function totalsOf(path: string): Promise<Record<string, string>> {
  const read = async (file: string) => JSON.parse(await readFile(file, 'utf8'));
  if (!(await stat(path)).isDirectory()) return read(path);
  const totals: Record<string, string> = {};
  for (const name of await readdir(path)) {
    if (!name.endsWith('.json')) continue;
    const { ref_id, total } = await read(join(path, name));
    if (total !== undefined) totals[ref_id] = total;
  }
  return totals;
}

const dayAfter = (day: Date): Date => new Date(day.getTime() + 24 * 60 * 60 * 1000);

/** Asset and amount as cells of a file. */
function cells(
  one: { symbol?: string; asset?: { symbol: string } | undefined; amount?: Decimal | undefined } | undefined,
) {
  return [one?.symbol ?? one?.asset?.symbol ?? '', one?.amount === undefined ? '' : written(one.amount)];
}

const written = (value: string | Decimal): string => (typeof value === 'string' ? value : value.toFixed());

function csv(rows: readonly (readonly string[])[]): string {
  const cell = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { totals: { type: 'string', multiple: true } },
  });
  const [day = '', directory = '', ...accountIds] = positionals;
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || accountIds.length === 0)
    throw new Error('usage: reconcile DAY DIRECTORY ACCOUNT… [--totals FILE-OR-FOLDER]…');
  const totals: Record<string, string> = {};
  for (const path of values.totals ?? []) Object.assign(totals, await totalsOf(path));
  await using client = new PartnerClient();
  const lines = await reconcile(client, accountIds, day, directory, totals);
  const wrong = lines.filter(({ difference }) => !difference.isZero());
  for (const { asset, difference } of wrong) console.error(`${asset}: ${difference.toFixed()} is not explained`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
