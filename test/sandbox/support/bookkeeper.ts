import { expect } from 'vitest';
import { ADDRESSES } from './addresses.js';
import { balancesOf, of, units } from './balances.js';
import { type DirectPartner, directSandbox } from './direct-partner.js';
import { ASSETS, type Step, type StepOf } from './money-steps.js';

const refOf = (asset: string) => {
  const [type = '', symbol = ''] = asset.split(':');
  return { type, symbol };
};

// biome-ignore lint/suspicious/noExplicitAny: answers of the service
type Data = any;

/** What a second bookkeeper knows who sees only what the API answers. */
interface Books {
  total: bigint;
  held: bigint;
}

interface QuoteEntry {
  readonly account: string;
  readonly quote: Data;
  claimed: boolean;
  ended: boolean;
}

interface ConversionEntry {
  readonly account: string;
  readonly from: string;
  readonly to: string;
  /** What the balance pays. */
  readonly gross: bigint;
  conversion: Data;
}

/** Drives a sandbox and keeps books of its own beside it. */
export class Bookkeeper {
  readonly partner: DirectPartner = directSandbox();
  readonly accounts = [this.partner.sandbox.fixtures.accountId, this.partner.sandbox.fixtures.secondaryAccountId];
  readonly #books = new Map<string, Books>();
  readonly #quotes: QuoteEntry[] = [];
  readonly #conversions: ConversionEntry[] = [];
  readonly #wallets: string[] = [];
  readonly #places = new Map<string, number>();
  /** How often money was laid claim to or moved. */
  moves = 0;

  async open(): Promise<void> {
    for (const id of this.accounts) {
      for (const [name, { total, held }] of await balancesOf(this.partner, id))
        this.#books.set(id + name, { total, held });
      const whitelist = { via: 'bitcoin', address: ADDRESSES.bitcoin };
      const { body } = await this.partner.post(`/v1/accounts/${id}/wallets/whitelist`, whitelist, { 'API-Otp': '1' });
      this.#wallets.push(body.data.id);
    }
    this.partner.sandbox.advance(5_000);
    const { body } = await this.partner.get(`/v1/users/${this.partner.sandbox.fixtures.userId}/assets?page_size=100`);
    for (const { type, symbol, decimals } of body.data) this.#places.set(`${type}:${symbol}`, decimals.swap);
  }

  async run(step: Step): Promise<void> {
    if (step.do === 'quote') await this.#quote(step);
    else if (step.do === 'execute') await this.#execute(step);
    else if (step.do === 'fail') this.#fail(step);
    else if (step.do === 'convert') this.#convert(step);
    else if (step.do === 'deposit') this.#deposit(step);
    else await this.#advance(step);
  }

  /** The account's books are those of the sandbox. */
  async compare(): Promise<void> {
    for (const id of this.accounts) {
      const shown = await balancesOf(this.partner, id);
      for (const name of ASSETS) {
        const { total, held } = of(shown, name);
        expect({ name, total, held }).toEqual({ name, ...this.#book(id, name) });
      }
    }
  }

  async #quote({ account, from, to, amount, fixed, bps, executed }: StepOf<'quote'>): Promise<void> {
    const id = this.#account(account);
    const sides = { from: { ...refOf(from) }, to: { ...refOf(to) }, fee: { bps } };
    const body = { ...sides, [fixed]: { ...sides[fixed], amount } };
    const answer = await this.partner.post(`/v1/accounts/${id}/quotes`, body);
    if (from === to || answer.body.error?.causes[0].message === 'is too small') return;
    expect(answer.status).toBe(200);
    const quote = answer.body.data;
    expect(quote[fixed].amount).toBe(amount);
    this.#checkPrice(quote, from, to, fixed);
    this.#quotes.push({ account: id, quote, claimed: false, ended: false });
    if (executed) await this.#execute({ which: 0 });
  }

  /** `to` is what is left of `from` after the fee, at the rate, rounded down; or `from` the least that pays for `to`. */
  #checkPrice({ from, to, fees, rate }: Data, fromName: string, toName: string, fixed: 'from' | 'to'): void {
    const price = units(rate.price);
    const isBase = `${rate.base.type}:${rate.base.symbol}` === fromName;
    const one = units('1');
    const unit = (name: string) => one / 10n ** BigInt(this.#places.get(name) ?? 0);
    const converted = (net: bigint) => {
      const exact = isBase ? (net * price) / one : (net * one) / price;
      return exact - (exact % unit(toName));
    };
    const fee = units(fees.trade.amount);
    const net = units(from.amount) - fee;
    expect(fee > 0n && net > 0n && `${fees.trade.type}:${fees.trade.symbol}` === fromName).toBe(true);
    if (fixed === 'from') {
      expect(converted(net)).toBe(units(to.amount));
      return;
    }
    const enough = (value: bigint) =>
      isBase ? value * price >= units(to.amount) * one : value * one >= units(to.amount) * price;
    expect([enough(net), enough(net - unit(fromName))]).toEqual([true, false]);
  }

  async #execute({ which }: Pick<StepOf<'execute'>, 'which'>): Promise<void> {
    const record = this.#quotes.at(-1 - which);
    if (record === undefined) return;
    const { account, quote } = record;
    const answer = await this.partner.post(`/v1/accounts/${account}/quotes/${quote.id}/execute`);
    expect([200, 409, 410]).toContain(answer.status);
    if (answer.status !== 200) return;
    const book = this.#book(account, nameOf(quote.from));
    const given = units(quote.from.amount);
    record.claimed = book.total - book.held >= given;
    if (record.claimed) this.#write(account, nameOf(quote.from), 0n, given);
    this.moves += record.claimed ? 1 : 0;
  }

  #fail({ which }: StepOf<'fail'>): void {
    const record = this.#quotes.at(-1 - which);
    try {
      if (record !== undefined) this.partner.sandbox.quotes.fail(record.quote.id);
    } catch (error) {
      expect(String(error)).toContain('already');
    }
  }

  #convert({ account, from, to, amount, ends, fails }: StepOf<'convert'>): void {
    const id = this.#account(account);
    const [source, destination] = [refOf(from), refOf(to)];
    const before = this.#book(id, from);
    try {
      const conversion = this.partner.sandbox.accounts.convert(id, {
        from: { type: ends[0], symbol: source.symbol, asset_type: source.type, amount },
        to: {
          ...{ type: ends[1], symbol: destination.symbol, asset_type: destination.type },
          wallet_id: ends[1] === 'wallet' ? this.#wallets[account] : undefined,
        },
        fails,
      });
      const gross = ends[0] === 'balance' ? units(amount) : 0n;
      expect(gross <= before.total - before.held).toBe(true);
      this.#write(id, from, 0n, gross);
      this.#conversions.push({ account: id, from, to, gross, conversion });
      this.moves += 1;
    } catch (error) {
      if (String(error).includes('is available')) expect(units(amount) > before.total - before.held).toBe(true);
      else expect(String(error)).toMatch(/same asset|too small|holds fiat money|hold USD, not/);
    }
  }

  #deposit({ account, asset, amount }: StepOf<'deposit'>): void {
    const id = this.#account(account);
    const { symbol, type } = refOf(asset);
    try {
      this.partner.sandbox.accounts.deposit(id, { symbol, asset_type: type, amount });
      this.#write(id, asset, units(amount), 0n);
      this.moves += 1;
    } catch (error) {
      expect(String(error)).toMatch(/above 0|limits|no such deposit method/);
    }
  }

  async #advance({ ms }: StepOf<'advance'>): Promise<void> {
    this.partner.sandbox.advance(ms);
    for (const record of this.#quotes) if (!record.ended) await this.#follow(record);
    for (const id of this.accounts) await this.#followConversions(id);
  }

  async #follow(record: QuoteEntry): Promise<void> {
    const { account, quote, claimed } = record;
    const { from, to, status } = (await this.partner.get(`/v1/accounts/${account}/quotes/${quote.id}`)).body.data;
    if (status === 'offered' || status === 'executing') return;
    record.ended = true;
    if (claimed) this.#write(account, nameOf(from), 0n, -units(from.amount));
    if (status !== 'executed') return;
    expect(claimed).toBe(true);
    this.#write(account, nameOf(from), -units(from.amount), 0n);
    this.#write(account, nameOf(to), units(to.amount), 0n);
  }

  async #followConversions(id: string): Promise<void> {
    const { body } = await this.partner.get(`/v1/accounts/${id}/on-demand-conversions?page_size=25`);
    const shown = new Map<string, Data>(body.data.map((one: Data) => [one.id, one]));
    for (const record of this.#conversions) {
      const now = record.account === id ? shown.get(record.conversion.id) : undefined;
      if (now === undefined) continue;
      const passed = (...states: string[]) => states.includes(now.status) && !states.includes(record.conversion.status);
      if (passed('settling', 'completed')) this.#write(id, record.from, -record.gross, -record.gross);
      if (passed('failed')) this.#write(id, record.from, 0n, -record.gross);
      if (passed('completed') && now.to.type === 'balance') this.#write(id, record.to, units(now.to.amount), 0n);
      record.conversion = now;
    }
  }

  #account(index: number): string {
    return this.accounts[index] ?? '';
  }

  #book(account: string, name: string): Books {
    return this.#books.get(account + name) ?? { total: 0n, held: 0n };
  }

  #write(account: string, name: string, total: bigint, held: bigint): void {
    const book = this.#book(account, name);
    this.#books.set(account + name, { total: book.total + total, held: book.held + held });
  }
}

const nameOf = ({ type, symbol }: { type: string; symbol: string }) => `${type}:${symbol}`;
