import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { operations } from '../../../../src/resources/operations.js';
import { Service } from '../../../../src/sandbox/assembly.js';
import type { State } from '../../../../src/sandbox/core/records/state.js';
import type { WrittenSnapshot } from '../../../../src/sandbox/drive/snapshot/snapshot-schema.js';
import { kindControls } from '../../../../src/sandbox/kinds/registry/controls.js';
import type { Operation } from '../../../../src/schema/operation.js';
import { signature } from '../../../support/signature.js';
import { units } from '../../support/balances.js';
import { Dice } from './dice.js';
import { groupOf, RandomInput } from './random-input.js';
import { randomMove } from './random-moves.js';

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

/** Operations between two checks of the sums. */
const BATCH = 25;

/** Writes that move money come most often, so that something is under way all the time. */
const WEIGHTS: readonly (readonly [Operation, number])[] = operations.map((operation) => {
  if (operation.method === 'GET') return [operation, 1];
  // These are refused most often: they need an asset, a name or a method that fits.
  if (/(withdrawals|transfers|depositAddresses)\.create$/.test(operation.name)) return [operation, 15];
  return [operation, /^(accounts|funds|transfers)\./.test(operation.name) ? 6 : 1];
});

/** Writes to what a group of operations has made. */
const NEXT = new Map<string, Operation[]>();
for (const operation of operations) {
  if (operation.method === 'GET' || !/(_id|\{id)\}/.test(operation.path.replace('{account_id}', ''))) continue;
  NEXT.set(groupOf(operation), [...(NEXT.get(groupOf(operation)) ?? []), operation]);
}

/** What the `id` of a group is called elsewhere. */
const ID_NAMES: Readonly<Record<string, string>> = {
  ...{ depositMethods: 'method_id', wallets: 'wallet_id', settlement: 'report_id', webhooks: 'webhook_id' },
  ...{
    transfers: 'transfer_id',
    conversions: 'conversion_id',
    conversionRules: 'conversion_rule_id',
    users: 'user_id',
  },
  quotes: 'swap_quote_id',
};

/** Deliveries of webhooks stay in the process: over the network each would wait for its time-out. */
const SETTINGS = { journalLimit: 0, deliver: async () => new Response() };

interface Sent {
  readonly operation: Operation;
  readonly target: string;
  readonly body: unknown;
  readonly key: string | undefined;
}

/** A request that is answered 2xx with `data`, or anything else. */
interface Answered {
  readonly status: number;
  readonly body: { readonly data?: unknown; readonly next_page_token?: unknown } | undefined;
}

/** Number of requests by operation. */
export type Counts = Map<string, number>;

const OPERATIONS_OF_A_SEQUENCE = 200;

/**
 * Runs one sequence of random operations for each seed. Returns how many requests were accepted, by
 * operation. `moves`: the probability of a move before each operation.
 */
export async function runSequences(seeds: readonly number[], moves = 0): Promise<Counts> {
  const accepted: Counts = new Map();
  for (const seed of seeds) {
    const service = new WholeService(seed, moves);
    try {
      await service.run(OPERATIONS_OF_A_SEQUENCE);
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
    for (const [name, count] of service.accepted) accepted.set(name, (accepted.get(name) ?? 0) + count);
  }
  return accepted;
}

/** A sandbox in which everything happens at random, without a socket. */
class WholeService {
  readonly accepted: Counts = new Map();
  readonly #dice: Dice;
  readonly #input: RandomInput;
  readonly #known = new Map<string, string[]>();
  #service: Service;
  readonly #moves: number;
  #nonce = 1n;
  #last: Sent | undefined;
  #made: Operation | undefined;
  readonly #sums: string;

  constructor(seed: number, moves: number) {
    this.#dice = new Dice(seed);
    this.#moves = moves;
    this.#input = new RandomInput(this.#dice, (group) => this.#known.get(group) ?? []);
    this.#service = new Service({ ...SETTINGS, seed });
    const { fixtures } = this.#service;
    this.#learn('account_id', fixtures.accountId, fixtures.secondaryAccountId, fixtures.accountId);
    this.#learn('user_id', fixtures.userId);
    this.#learn('method_id', fixtures.methodId);
    this.#learn('key', fixtures.withdrawalAddressKey);
    this.#learn('quotes', fixtures.quoteId);
    this.#learn('bank_link_id', fixtures.bankLinkId);
    this.#learn('address_id', fixtures.addressId);
    this.#sums = this.#sumsNow();
  }

  get state(): State {
    return this.#service.state;
  }

  /** Runs random operations. The clock moves between them, and the state is saved in their middle. */
  async run(count: number): Promise<void> {
    const restart = this.#dice.integer(1, count - 1);
    for (let index = 1; index <= count; index += 1) {
      await this.#step();
      if (index === restart) this.#goOn();
      if (index % BATCH === 0 || index === restart) this.check();
    }
    // Everything that is under way ends.
    for (let day = 0; day < 5; day += 1) this.state.clock.advance(DAY_MS);
    this.check();
  }

  /** Nothing was made or lost, and no account has or holds what is not there. */
  check(): void {
    expect(this.#sumsNow()).toBe(this.#sums);
    for (const { id, holdings } of this.state.accounts.values()) {
      for (const { asset, total, held } of holdings.list()) {
        if (held.gte(0) && held.lte(total)) continue;
        expect.fail(`${id} has ${total.toFixed()} ${asset.symbol} and holds ${held.toFixed()} of it`);
      }
    }
  }

  async #step(): Promise<void> {
    if (this.#dice.chance(0.25)) this.state.clock.advance(this.#dice.weigh(ADVANCES));
    if (this.#dice.chance(0.06)) this.#control();
    if (this.#moves > 0 && this.#dice.chance(this.#moves)) this.#move();
    if (this.#last?.key !== undefined && this.#dice.chance(0.03)) await this.#send(this.#last);
    const operation = this.#nextOperation();
    const { method, path, retrySafety } = operation;
    const params = this.#input.params(operation);
    const filled = path.replaceAll(/\{([^{}]+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
    const query = queryText(this.#input.query(operation));
    const body = method === 'GET' || method === 'DELETE' ? undefined : this.#input.body(operation);
    const key = retrySafety === 'keyed' ? randomUUID() : undefined;
    this.#last = { operation, target: query === '' ? filled : `${filled}?${query}`, body, key };
    this.#note(operation, String(params['account_id'] ?? ''), await this.#send(this.#last));
  }

  /** After something was made, often what may be done with it. */
  #nextOperation(): Operation {
    const made = this.#made;
    this.#made = undefined;
    const next = made === undefined ? [] : NEXT.get(groupOf(made));
    return next !== undefined && next.length > 0 && this.#dice.chance(0.5)
      ? this.#dice.choose(next)
      : this.#dice.weigh(WEIGHTS);
  }

  async #send({ operation, target, body, key }: Sent): Promise<Answered> {
    const { apiKey, apiSecret } = this.#service.keys.first();
    this.#nonce += 1n;
    const nonce = String(this.#nonce);
    const bytes = body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body));
    const headers: Record<string, string | undefined> = {
      ...{ 'api-key': apiKey, 'api-nonce': nonce, 'api-otp': '1', 'idempotency-key': key },
      'api-sign': signature(apiSecret, target, nonce, bytes),
      'content-type': body === undefined ? undefined : 'application/json',
    };
    const head = {
      origin: 'http://sandbox.example',
      method: operation.method,
      target,
      header: (name: string) => headers[name],
      headers: () => [],
    };
    const { action } = await this.#service.requests.receive(head, Promise.resolve({ kind: 'complete', bytes }));
    if (action.kind !== 'answer') throw new Error(`${operation.name} is answered by ${action.kind}`);
    const { status, body: text } = action.answer;
    if (status >= 500) expect.fail(`${operation.name} ${target} ${JSON.stringify(body)} is answered ${status} ${text}`);
    return { status, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** Learns the ids of an answer. */
  #note(operation: Operation, account: string, { status, body }: Answered): void {
    const group = groupOf(operation);
    if (status >= 300) return;
    this.accepted.set(operation.name, (this.accepted.get(operation.name) ?? 0) + 1);
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

  /** What the API itself cannot do. It is refused now and then, and must then change nothing. */
  #control(): void {
    const account = this.#dice.choose(this.#known.get('account_id') ?? []);
    const symbol = this.#dice.choose(['USD', 'BTC', 'ETH', 'USDC', 'EUR', 'XRP'] as const);
    const amount = this.#dice.choose(['0.5', '20', '100.25', '0.000000000001', '3']);
    const fails = this.#dice.chance(0.4);
    const attempts = [
      () => kindControls(this.state).accounts.deposit(account, { symbol, amount }),
      () =>
        kindControls(this.state).accounts.convert(account, {
          from: { type: 'balance', symbol, amount },
          to: { type: 'balance', symbol: this.#dice.choose(['USD', 'BTC', 'SOL']) },
          fails,
        }),
      () => kindControls(this.state).quotes.fail(this.#dice.choose(this.#known.get('quotes') ?? [''])),
    ];
    try {
      this.#dice.choose(attempts)();
    } catch (error) {
      // A mistake of the sandbox would be of another class, or have another message.
      expect(String(error)).toMatch(/^(TypeError|Error): (accounts|quotes|withdrawals|onchainQuotes)\./);
    }
  }

  #move(): void {
    const taken = randomMove(this.#service, this.#dice);
    if (taken !== undefined) this.accepted.set(taken, (this.accepted.get(taken) ?? 0) + 1);
  }

  /** The state that is restored is the state that was saved. */
  #goOn(): void {
    const before = present(this.#service);
    this.#service = new Service({ ...SETTINGS, snapshot: before });
    const after = present(this.#service);
    // `toEqual` is slow and needed only to show a difference.
    if (!isDeepStrictEqual(comparable(after), comparable(before)))
      expect(comparable(after)).toEqual(comparable(before));
  }

  /** What all accounts and the books of the other side have together, by asset. */
  #sumsNow(): string {
    const sums = new Map<string, bigint>();
    const add = (asset: string, amount: string) => sums.set(asset, (sums.get(asset) ?? 0n) + units(amount));
    for (const { holdings } of this.state.accounts.values()) {
      for (const { asset, total } of holdings.list()) add(`${asset.type}:${asset.symbol}`, total.toFixed());
    }
    for (const book of Object.values(this.state.books)) {
      for (const [asset, sum] of Object.entries(book.toJSON())) add(asset, sum as string);
    }
    const written = [...sums].filter(([, sum]) => sum !== 0n).sort(([a], [b]) => (a < b ? -1 : 1));
    return written.map(([asset, sum]) => `${asset} ${sum}`).join('\n');
  }
}

const present = (service: Service): WrittenSnapshot => JSON.parse(JSON.stringify(service.snapshot()));

/** Without the number of restarts. */
const comparable = (snapshot: WrittenSnapshot): object => ({ ...snapshot, generation: 0 });

function queryText(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    if (!Array.isArray(value)) return [[name, value]];
    return value.flatMap((item, index) => {
      if (typeof item !== 'object') return [[name, item]];
      return Object.entries(item as object).map(([member, inner]) => [`${name}[${index}][${member}]`, inner]);
    });
  });
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [String(name), String(value)])).toString();
}
