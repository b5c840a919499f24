import { expect } from 'vitest';
import type { SandboxOptions } from '../../../../src/sandbox/index.js';
import { balancesOf } from '../../support/balances.js';
import { askControl, bodies, openSandbox, type Partner } from '../../support/partner.js';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
export type Data = any;

export const DAY_MS = 86_400_000;

const OTP = { 'API-Otp': '1' };

/** A sandbox that is driven over HTTP alone. */
export class Driven {
  constructor(readonly partner: Partner) {}

  static async open(options: SandboxOptions = {}): Promise<Driven> {
    const driven = new Driven(await openSandbox({ deliver: async () => new Response(), ...options }));
    // What the seed has under way has ended then: it is not mistaken for what moves bring about.
    driven.partner.sandbox.advance(4 * DAY_MS);
    driven.partner.sandbox.webhooks.register({ url: 'http://127.0.0.1:9/nowhere' });
    return driven;
  }

  /** A further sandbox that goes on from the present state of this one, through JSON. */
  async restarted(): Promise<Driven> {
    const snapshot = JSON.parse(JSON.stringify(this.partner.sandbox.snapshot()));
    const partner = await openSandbox({ deliver: async () => new Response(), snapshot });
    // Its nonces go on, too.
    for (let skipped = 0; skipped < 1_000; skipped += 1) partner.nextNonce();
    return new Driven(partner);
  }

  get account(): string {
    return this.partner.sandbox.fixtures.accountId;
  }

  /** Calls a method of the controls, for example `quotes/settle`, and expects it to be accepted. */
  async move(path: string, ...args: readonly unknown[]): Promise<Data> {
    const { status, data, error } = await askControl(this.partner, `POST ${path}`, args);
    expect([status, error?.message], path).toEqual([200, undefined]);
    return data;
  }

  /** The message with which a call is refused. */
  async refusal(path: string, ...args: readonly unknown[]): Promise<string> {
    const { status, error } = await askControl(this.partner, `POST ${path}`, args);
    expect(status, `${path} ${JSON.stringify(args)}`).toBe(400);
    return error?.message ?? '';
  }

  async read(path: string): Promise<Data> {
    const { status, data, error } = await askControl(this.partner, `GET ${path}`);
    expect([status, error?.message], path).toEqual([200, undefined]);
    return data;
  }

  /** A request of the API that is answered 200. */
  async post(path: string, body?: unknown): Promise<Data> {
    const answer = await this.partner.post(path, body, OTP);
    expect([answer.status, answer.body.error], path).toEqual([200, undefined]);
    return answer.body.data;
  }

  async get(path: string): Promise<Data> {
    const answer = await this.partner.get(path);
    expect([answer.status, answer.body.error], path).toEqual([200, undefined]);
    return answer.body.data;
  }

  async quote(amount = '100.00'): Promise<string> {
    const from = { symbol: 'USD', type: 'fiat', amount };
    return (await this.post(`${this.partner.account}/quotes`, { ...bodies.quote, from })).id;
  }

  async executing(amount?: string): Promise<string> {
    const id = await this.quote(amount);
    await this.post(`${this.partner.account}/quotes/${id}/execute`);
    return id;
  }

  /** What can be seen of money: balances, the other side, what was noted of it. Without times. */
  async money(): Promise<Data> {
    const { data } = (await this.partner.get(`${this.partner.account}/portfolio/transactions?page_size=25`)).body;
    return {
      balances: [...(await balancesOf(this.partner, this.account))],
      books: this.partner.sandbox.accounts.books,
      entries: data.map((entry: Data) => withoutTimes(entry)),
    };
  }

  /** Events in their order, without times and ids that are theirs. */
  async events(): Promise<Data[]> {
    await this.partner.sandbox.webhooks.idle();
    return this.partner.sandbox.webhooks
      .listDeliveries()
      .map(({ type, body }) => [type, withoutTimes(JSON.parse(body).data)]);
  }
}

const TIMES = ['timestamp', 'created_at', 'updated_at', 'expires_at'];

export function withoutTimes(value: Data): Data {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !TIMES.includes(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutTimes(member)]));
}
