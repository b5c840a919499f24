import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { operations } from '../../../../src/resources/operations.js';
import type { Operation } from '../../../../src/schema/operation.js';
import { targetOf } from '../../../../tools/examples/examples.js';
import { accountIds, balancesOf, everything } from '../../support/balances.js';
import { type DirectPartner, directSandbox } from '../../support/direct-partner.js';
import { requestOf, type TestAnswer, type TestRequest } from '../../support/partner.js';
import { Dice } from './dice.js';
import { LedgerWitness } from './ledger-witness.js';
import { groupOf, RandomInput } from './random-input.js';
import { MOVES, randomMove } from './random-moves.js';

const SECOND_MS = 1_000;
const DAY_MS = 86_400 * SECOND_MS;

/** Moves of the clock, from less than any step takes to more than all. */
const ADVANCES = [
  [1, 4],
  [2 * SECOND_MS, 8],
  [6 * SECOND_MS, 4],
  [31 * SECOND_MS, 2],
  [120 * SECOND_MS, 1],
  [3_600 * SECOND_MS, 1],
  [DAY_MS, 1],
] as const;

const OPERATIONS_OF_A_SEQUENCE = 200;
/** Operations between two checks of the sums. */
const BATCH = 25;
/** In two of three sequences a move is made with this probability before each operation of the API. */
const MOVE_SHARE = 0.6;

/** Writes that move money come most often, so that something is under way all the time. */
const WEIGHTS: readonly (readonly [Operation, number])[] = operations.map((operation) => {
  if (operation.method === 'GET') return [operation, 1];
  // These are refused most often: they need an asset, a name or a method that fits.
  if (/(withdrawals|transfers|depositAddresses)\.create$/.test(operation.name)) return [operation, 15];
  return [operation, /^(accounts|funds|transfers|users)\./.test(operation.name) ? 6 : 1];
});

/** Writes to what a group of operations has made. */
const NEXT = new Map<string, Operation[]>();
for (const operation of operations) {
  if (operation.method === 'GET' || !/(_id|\{id)\}/.test(operation.path.replace('{account_id}', ''))) continue;
  NEXT.set(groupOf(operation), [...(NEXT.get(groupOf(operation)) ?? []), operation]);
}

/** What the `id` of a group is called elsewhere. */
const ID_NAMES: Readonly<Record<string, string>> = {
  depositMethods: 'method_id',
  wallets: 'wallet_id',
  settlement: 'report_id',
  webhooks: 'webhook_id',
  transfers: 'transfer_id',
  conversions: 'conversion_id',
  users: 'user_id',
  quotes: 'swap_quote_id',
  conversionRules: 'conversion_rule_id',
};

/** Deliveries of webhooks stay in the process: over the network each would wait for its time-out. */
const SETTINGS = { journalLimit: 0, deliver: async () => new Response() };

/** Runs sequences of random operations, one of each seed. */
export async function runSequences(count: number) {
  /** Accepted requests and moves. */
  const accepted = new Set<string>();
  let movements = 0;
  for (let seed = 1; seed <= count; seed += 1) {
    const service = new WholeService(seed, seed % 3 === 0 ? 0 : MOVE_SHARE);
    try {
      movements += await service.run();
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
    for (const name of service.accepted) accepted.add(name);
  }
  return { accepted, moves: MOVES, movements };
}

/** A sandbox in which everything happens at random, without a socket. */
class WholeService {
  readonly accepted = new Set<string>();
  readonly #dice: Dice;
  readonly #input: RandomInput;
  readonly #known = new Map<string, string[]>();
  readonly #moveShare: number;
  readonly #witness: LedgerWitness;
  #partner: DirectPartner;
  #last: TestRequest | undefined;
  #made: Operation | undefined;

  constructor(seed: number, moveShare: number) {
    this.#dice = new Dice(seed);
    this.#moveShare = moveShare;
    this.#input = new RandomInput(this.#dice, (group) => this.#known.get(group) ?? []);
    this.#partner = directSandbox({ ...SETTINGS, seed });
    const { fixtures } = this.#partner.sandbox;
    this.#witness = new LedgerWitness([fixtures.accountId, fixtures.secondaryAccountId]);
    this.#learn('account_id', fixtures.accountId, fixtures.secondaryAccountId, fixtures.accountId);
    this.#learn('user_id', fixtures.userId);
    this.#learn('method_id', fixtures.methodId);
    this.#learn('key', fixtures.withdrawalAddressKey);
    this.#learn('quotes', fixtures.quoteId);
    this.#learn('bank_link_id', fixtures.bankLinkId);
    this.#learn('address_id', fixtures.addressId);
  }

  /**
   * Runs random operations. The clock moves between them, and the sandbox is restarted in their middle.
   * Returns the number of movements of money.
   */
  async run(): Promise<number> {
    const sums = await everything(this.#partner);
    const restart = this.#dice.integer(1, OPERATIONS_OF_A_SEQUENCE - 1);
    await this.#advance(1);
    for (let index = 1; index <= OPERATIONS_OF_A_SEQUENCE; index += 1) {
      await this.#step();
      if (index === restart) this.#restart();
      if (index % BATCH === 0 || index === restart) expect(await everything(this.#partner)).toEqual(sums);
    }
    // Everything that is under way ends, and holds nothing then. Rewards would come without end.
    for (const id of accountIds(this.#partner)) {
      await this.#partner.call(requestOf(`PATCH /v1/accounts/${id}/earn/auto`, { staking: 'disabled' }));
    }
    for (let day = 0; day < 5; day += 1) this.#partner.sandbox.advance(DAY_MS);
    expect(await everything(this.#partner)).toEqual(sums);
    for (const id of accountIds(this.#partner)) {
      for (const { held } of (await balancesOf(this.#partner, id)).values()) expect(held).toBe(0n);
    }
    return this.#witness.check(this.#partner);
  }

  async #step(): Promise<void> {
    if (this.#dice.chance(0.25)) await this.#advance(this.#dice.weigh(ADVANCES));
    if (this.#moveShare > 0 && this.#dice.chance(this.#moveShare)) this.#move();
    if (this.#last !== undefined && this.#dice.chance(0.03)) await this.#partner.call(this.#last);
    const operation = this.#nextOperation();
    const { method, retrySafety } = operation;
    const params = this.#input.params(operation);
    const target = targetOf(operation, { params, query: this.#input.query(operation) });
    const body = method === 'GET' || method === 'DELETE' ? undefined : this.#input.body(operation);
    const key = retrySafety === 'keyed' ? randomUUID() : undefined;
    const request = requestOf(`${method} ${target}`, body, { 'API-Otp': '1', 'Idempotency-Key': key });
    this.#last = key === undefined ? undefined : request;
    const answer = await this.#partner.call(request);
    expect(answer.status, `${operation.name} ${target} ${JSON.stringify(body)}`).toBeLessThan(500);
    if (answer.status < 300) this.#note(operation, params['account_id'] ?? '', answer);
  }

  async #advance(ms: number): Promise<void> {
    await this.#witness.look(this.#partner);
    this.#partner.sandbox.advance(ms);
  }

  /** After something was made, often what may be done with it. */
  #nextOperation(): Operation {
    const next = this.#made === undefined ? [] : (NEXT.get(groupOf(this.#made)) ?? []);
    this.#made = undefined;
    return next.length > 0 && this.#dice.chance(0.5) ? this.#dice.choose(next) : this.#dice.weigh(WEIGHTS);
  }

  /** Learns the ids of an answer. */
  #note(operation: Operation, account: string, { body }: TestAnswer): void {
    const group = groupOf(operation);
    this.accepted.add(operation.name);
    if (operation.name.endsWith('.create')) this.#made = operation;
    const learn = (name: string, id: string) => {
      this.#learn(name, id);
      this.#learn(`${account}/${name}`, id);
    };
    const { data, next_page_token: token } = body ?? {};
    if (typeof token === 'string') learn(`${group}.${operation.cursor}`, token);
    for (const item of (Array.isArray(data) ? data.slice(0, 5) : [data]) as (Record<string, unknown> | undefined)[]) {
      if (typeof item?.['id'] === 'string')
        for (const name of [group, ID_NAMES[group]]) learn(name ?? group, item['id']);
      for (const [name, value] of Object.entries(item ?? {})) {
        if (typeof value === 'string' && (name === 'key' || name.endsWith('_id'))) learn(name, value);
      }
      if (group === 'users')
        for (const { id } of (item?.['accounts'] ?? []) as { id: string }[]) this.#learn('account_id', id);
    }
  }

  #learn(group: string, ...ids: string[]): void {
    const known = this.#known.get(group) ?? [];
    for (const id of ids) known.push(id);
    // The first ones are the fixtures.
    if (known.length > 30) known.splice(3, 1);
    this.#known.set(group, known);
  }

  #move(): void {
    const taken = randomMove(this.#partner.sandbox, this.#dice);
    if (taken !== undefined) this.accepted.add(taken);
  }

  /** The state that is restored is the state that was saved. */
  #restart(): void {
    const { generation: _, ...before } = snapshotOf(this.#partner);
    this.#partner = this.#partner.restarted(SETTINGS);
    const { generation: __, ...after } = snapshotOf(this.#partner);
    // `toEqual` is slow and needed only to show a difference.
    if (!isDeepStrictEqual(after, before)) expect(after).toEqual(before);
  }
}

const snapshotOf = ({ sandbox }: DirectPartner): Record<string, unknown> =>
  JSON.parse(JSON.stringify(sandbox.snapshot()));
