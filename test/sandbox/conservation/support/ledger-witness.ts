import { expect } from 'vitest';
import { balancesOf, units } from '../../support/balances.js';
import type { Partner } from '../../support/partner.js';

const DAY_MS = 86_400_000;

/** Totals of one account by asset, in units; without the assets of which it has nothing. */
type Totals = ReadonlyMap<string, bigint>;

interface Look {
  readonly account: string;
  readonly at: number;
  readonly totals: Totals;
}

/** A row of a settlement report, by the names of its columns. */
type Row = Readonly<Record<string, string>>;

// biome-ignore lint/suspicious/noExplicitAny: answers of the service
type Data = any;

/** Types that the list of transactions shows. All others are in the reports alone. */
const SHOWN = /^(simple_order|simple_order_failed|price_trigger_swap|price_trigger_swap_failed|earn_reward|deposit)$/;

/**
 * Watches accounts while money moves, and then compares all that tells about it: details, summary,
 * transactions, history and reports must be of one mind, to the last digit.
 */
export class LedgerWitness {
  readonly #accounts: readonly string[];
  readonly #looks: Look[] = [];
  #partner!: Partner;

  constructor(accounts: readonly string[]) {
    this.#accounts = accounts;
  }

  /** Remembers the balances of now. The first look is the beginning. Time must pass before money moves again. */
  async look(partner: Partner): Promise<void> {
    this.#partner = partner;
    const at = partner.sandbox.clock.now();
    for (const account of this.#accounts) this.#looks.push({ account, at, totals: await this.#totals(account) });
  }

  /** Compares everything. Moves the clock to the next day, whose reports are made then. Returns the number of movements. */
  async check(partner: Partner): Promise<number> {
    this.#partner = partner;
    partner.sandbox.advance(DAY_MS);
    const rows = await this.#rows();
    for (const account of this.#accounts) {
      const own = rows.filter(({ account_id }) => account_id === account).sort((a, b) => placeOf(a) - placeOf(b));
      await this.#compareRows(account, own);
      await this.#compareTransactions(account, own);
      await this.#comparePresent(account);
    }
    for (const look of this.#looks) await this.#comparePast(look);
    return rows.length;
  }

  /** From the beginning, row by row, to the present: each balance is that of the row before and the row. */
  async #compareRows(account: string, rows: readonly Row[]): Promise<void> {
    const first = this.#looks.find((look) => look.account === account);
    const totals = new Map(first?.totals);
    for (const row of rows) {
      expect(row['status']).toBe(row['type']?.endsWith('_failed') ? 'failed' : 'completed');
      for (const [side, sign] of [
        ['spend', -1n],
        ['receive', 1n],
      ] as const) {
        if (row[`${side}_symbol`] === '') continue;
        const cell = (name: string) => units(row[`${side}_${name}`] ?? '');
        const asset = `${row[`${side}_type`]}:${row[`${side}_symbol`]}`;
        expect(cell('total')).toBe(cell('sub_total') - sign * cell('fee'));
        totals.set(asset, (totals.get(asset) ?? 0n) + sign * cell('total'));
        expect(totals.get(asset), `${asset} after ${row['id']}`).toBe(cell('balance'));
      }
    }
    expect(sorted(totals)).toEqual(sorted(await this.#totals(account)));
  }

  async #compareTransactions(account: string, rows: readonly Row[]): Promise<void> {
    const shown: Data[] = [];
    let token: string | undefined;
    do {
      const page = await this.#read(
        `${account}/portfolio/transactions?page_size=25${token ? `&page_token=${token}` : ''}`,
      );
      shown.push(...page.data);
      token = page.next_page_token;
    } while (token !== undefined);
    const expected = rows.filter(({ type = '' }) => SHOWN.test(type)).reverse();
    expect(shown.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    for (const [index, { spend, receive }] of shown.entries()) {
      for (const [name, side] of Object.entries({ spend, receive })) {
        for (const part of ['sub_total', 'fee', 'total', 'balance']) {
          const cell = expected[index]?.[`${name}_${part}`];
          expect(side && units(side[part].amount)).toBe(cell === '' ? undefined : units(cell ?? ''));
        }
      }
    }
  }

  async #comparePresent(account: string): Promise<void> {
    const details: Data[] = (await this.#read(`${account}/portfolio/details`)).data;
    const { data: summary } = await this.#read(`${account}/portfolio/summary`);
    const last = (await this.#read(`${account}/portfolio/history`)).data.at(-1);
    const sum = (values: string[]) => values.reduce((all, one) => all + units(one), 0n);
    const [value, available] = ['total_in_quote', 'available_in_quote'].map((name) =>
      sum(details.map((one) => one[name])),
    );
    expect([units(summary.value), units(summary.available)]).toEqual([value, available]);
    expect(sum([summary.available, summary.withheld, summary.open_orders])).toBe(value);
    expect(units(last.value)).toBe(value);
    expect(sorted(totalsOf(last))).toEqual(sorted(await this.#totals(account)));
  }

  async #comparePast({ account, at, totals }: Look): Promise<void> {
    const [start, end] = [at, at + 1].map((moment) => new Date(moment).toISOString());
    const { data } = await this.#read(`${account}/portfolio/history?start_timestamp=${start}&end_timestamp=${end}`);
    expect(data).toHaveLength(1);
    expect(sorted(totalsOf(data[0])), `${account} at ${start}`).toEqual(sorted(totals));
  }

  /** The rows of all reports. */
  async #rows(): Promise<Row[]> {
    const rows: Row[] = [];
    let token: string | undefined;
    do {
      const page = await this.#get(`/v1/reports/settlement?page_size=100${token ? `&page_token=${token}` : ''}`);
      for (const { id, size } of page.data) {
        const { data } = await this.#get(`/v1/reports/settlement/${id}`);
        const file = (await this.#partner.sandbox.fetch(new Request(data.download_url))) as Response;
        const text = await file.text();
        expect([String(Buffer.byteLength(text)), data.size]).toEqual([size, size]);
        rows.push(...rowsOf(text));
      }
      token = page.next_page_token;
    } while (token !== undefined);
    return rows;
  }

  async #totals(account: string): Promise<Totals> {
    const balances = await balancesOf(this.#partner, account);
    return new Map(Array.from(balances, ([asset, { total }]) => [asset, total]));
  }

  #read(path: string): Promise<Data> {
    return this.#get(`/v1/accounts/${path}`);
  }

  async #get(path: string): Promise<Data> {
    const { status, body } = await this.#partner.get(path);
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  }
}

/** The rows of a CSV file without quotes, by the names of its columns. */
export function rowsOf(text: string): Row[] {
  const [head = '', ...lines] = text.split('\r\n').slice(0, -1);
  const columns = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [columns[index], cell])));
}

/** The place of a row among those of its account, at the end of its id. */
const placeOf = ({ id = '' }: Row): number => Number(id.split('-').at(-1));

const totalsOf = ({ assets }: Data): Totals =>
  new Map(assets.map(({ symbol, type, amount }: Data) => [`${type}:${symbol}`, units(amount)]));

/** What is there of each asset, in one order. */
const sorted = (totals: Totals): [string, bigint][] =>
  [...totals].filter(([, total]) => total !== 0n).sort(([a], [b]) => (a < b ? -1 : 1));
