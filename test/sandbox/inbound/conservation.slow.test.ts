import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountIds, balancesOf, everything } from '../support/balances.js';
import { type DirectPartner, directSandbox } from '../support/direct-partner.js';
import { whitelisting } from '../support/partner.js';

const asset = fc.constantFrom(
  ...([
    ['USD', 'fiat', 'ach'],
    ['EUR', 'fiat', 'sepa'],
    ['BTC', 'crypto', 'bitcoin'],
  ] as const),
  ...([
    ['XRP', 'crypto', 'xrp'],
    ['USDC', 'stablecoin', 'ethereum'],
    ['JPY', 'fiat', 'swift'],
  ] as const),
);
/** From dust to more than an account has, with more places than an asset has. */
const amount = fc.constantFrom('0.00000001', '0.01', '3', '12.34567890123456789', '250.5', '999999999');
const account = fc.nat(1);
const which = fc.nat(20);
const order = { account, from: asset, to: asset, amount, wallet: fc.boolean() };

const step = fc.oneof(
  fc.record({ do: fc.constant('rule' as const), ...order, paused: fc.boolean() }),
  fc.record({ do: fc.constant('convert' as const), ...order, deposit: fc.boolean(), quoted: fc.boolean() }),
  fc.record({ do: fc.constant('expect' as const), account, from: asset, amount }),
  fc.record({
    do: fc.constant('send' as const),
    account,
    from: asset,
    amount,
    to: fc.constantFrom('account', 'tag', 'email'),
  }),
  fc.record({ do: fc.constant('arrive' as const), which, amount: fc.option(amount, { nil: undefined }) }),
  fc.record({ do: fc.constant('fail' as const), which }),
  fc.record({ do: fc.constant('cancel' as const), which }),
  fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(1, 5_000, 30_000, 90_000, 8 * 86_400_000) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Runs steps of conversions, deposits and transfers, and keeps the ids that they gave. */
class Mix {
  readonly partner: DirectPartner = directSandbox();
  readonly #accounts = [this.partner.sandbox.fixtures.accountId, this.partner.sandbox.fixtures.secondaryAccountId];
  readonly #inbounds: string[] = [];
  readonly #ids: string[] = [];
  #wallet = '';
  /** Steps that the sandbox took. */
  taken = 0;

  async open(): Promise<void> {
    this.#wallet = (await this.partner.call(whitelisting(this.partner))).body.data.id;
    this.partner.sandbox.advance(5_000);
  }

  async run(one: Step): Promise<void> {
    const { sandbox } = this.partner;
    const id = 'which' in one ? this.#ids.at(-1 - one.which) : undefined;
    if (one.do === 'advance') sandbox.advance(one.ms);
    else if (one.do === 'arrive') {
      const inbound = this.#inbounds.at(-1 - one.which);
      if (inbound !== undefined) this.#try(() => sandbox.deposits.arrive(inbound, one.amount));
    } else if (one.do === 'cancel') await this.partner.post(`/v1/transfers/${id ?? 'none'}/cancel`);
    else if (one.do === 'fail' && id !== undefined) {
      this.#try(() => sandbox.conversions.fail(id));
      this.#try(() => sandbox.transfers.fail(id));
    } else if ('account' in one) await this.#create(one);
  }

  async #create(one: Extract<Step, { account: number }>): Promise<void> {
    const path = `/v1/accounts/${this.#accounts[one.account]}`;
    const sum = { symbol: one.from[0], type: one.from[1], amount: one.amount };
    const via = one.from[2];
    if (one.do === 'send') {
      const to = { [one.to]: one.to === 'account' ? this.#accounts[1 - one.account] : 'somewhere' };
      return this.#post(`${path}/transfers`, { from: { asset: sum }, to });
    }
    if (one.do === 'expect') return this.#post(`${path}/deposits`, { asset: sum, via });
    const destination = one.wallet ? { type: 'wallet', wallet_id: this.#wallet } : { type: 'balance' };
    const to = { asset: { symbol: one.to[0], type: one.to[1] }, destination };
    if (one.do === 'rule') {
      const status = one.paused ? 'paused' : 'active';
      return this.#post(`${path}/conversion-rules`, { from: { asset: sum, via }, to, status });
    }
    const source = one.deposit ? { type: 'deposit', via } : { type: 'balance' };
    if (!one.quoted) return this.#post(`${path}/conversions`, { from: { asset: sum, source }, to });
    const quote = await this.partner.post(`${path}/quotes`, { from: sum, to: to.asset });
    const swap_quote_id = quote.body.data?.id ?? 'none';
    return this.#post(`${path}/conversions`, { from: { source }, to: { destination }, swap_quote_id });
  }

  async #post(path: string, body: object): Promise<void> {
    const answer = await this.partner.post(path, body);
    expect([200, 400, 409, 410]).toContain(answer.status);
    if (answer.status !== 200) return;
    this.taken += 1;
    this.#ids.push(answer.body.data.id);
    if (answer.body.data.inbound !== undefined) this.#inbounds.push(answer.body.data.inbound.id);
  }

  #try(control: () => unknown): void {
    try {
      control();
      this.taken += 1;
    } catch (error) {
      expect(String(error)).toMatch(/the (rule|conversion|deposit) (is|has)|there is no|already|it allows/);
    }
  }
}

test('whatever converts, arrives and moves in whatever order: nothing is created or lost, nothing is below 0', async () => {
  let taken = 0;
  const property = fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60, size: 'max' }), async (steps) => {
    const mix = new Mix();
    await mix.open();
    const before = await everything(mix.partner);
    for (const one of steps) {
      await mix.run(one);
      expect(await everything(mix.partner)).toEqual(before);
    }
    // Everything that is under way ends, and holds nothing then.
    mix.partner.sandbox.advance(30 * 86_400_000);
    expect(await everything(mix.partner)).toEqual(before);
    for (const id of accountIds(mix.partner)) {
      for (const { held } of (await balancesOf(mix.partner, id)).values()) expect(held).toBe(0n);
    }
    taken += mix.taken;
  });
  await fc.assert(property, { numRuns: 20 });
  // A property that is true because nothing happens says nothing.
  expect(taken).toBeGreaterThan(100);
}, 540_000);
