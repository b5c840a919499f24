import * as z from 'zod/mini';
import type { LazySchema, Operation } from '../../../../src/schema/operation.js';
import { ADDRESSES } from '../../support/addresses.js';
import type { Dice } from './dice.js';

/** The part of a JSON schema that is read here. */
interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly minimum?: number;
  readonly maximum?: number;
}

type Members = Record<string, unknown>;

/** Ids and names that the service has given, by the group of operations that they belong to. */
export type Known = (group: string) => readonly string[];

const ASSETS = [
  ...['fiat:USD', 'fiat:EUR', 'fiat:JPY', 'crypto:BTC', 'crypto:ETH', 'crypto:SHIB', 'crypto:XRP', 'crypto:SOL'],
  ...['stablecoin:USDC', 'xstock:AAPLx'],
];

const ONCHAIN = ['stablecoin:USDC', 'xstock:AAPLx', 'xstock:TSLAx', 'stablecoin:USDT'] as const;

/** A ramp goes from money to coins. */
const RAMP: Readonly<Record<string, readonly string[]>> = {
  from_symbol: ['fiat:USD', 'fiat:EUR'],
  in_asset_symbol: ['fiat:USD', 'fiat:EUR'],
  to_symbol: ['crypto:BTC', 'crypto:ETH'],
  out_asset_symbol: ['crypto:BTC', 'crypto:ETH'],
};

/** An address for each asset, and the networks that addresses are of. */
const ADDRESS_OF: Readonly<Record<string, string>> = {
  BTC: ADDRESSES.bitcoin,
  ETH: ADDRESSES.ethereum,
  SHIB: ADDRESSES.ethereum,
  USDC: ADDRESSES.ethereum,
  XRP: ADDRESSES.xrp,
  SOL: ADDRESSES.solana,
  AAPLx: ADDRESSES.solana,
  USD: ADDRESSES.ach,
  EUR: ADDRESSES.sepa,
};
const NETWORKS = ['bitcoin', 'ethereum', 'solana', 'xrp', 'polygon', 'arbitrum'] as const;

/** Members that are a symbol and the class that goes with it. */
const PAIRS = [
  ...[['symbol', 'type'] as const, ['asset_symbol', 'asset_type'] as const, ['quote_symbol', 'quote_type'] as const],
  ...[['in_asset_symbol', 'in_asset_type'] as const, ['out_asset_symbol', 'out_asset_type'] as const],
  ...[['from_symbol', 'from_type'] as const, ['to_symbol', 'to_type'] as const],
];

/** Members of which a request has exactly one. */
const ALTERNATIVES: readonly (readonly string[])[] = [
  ['drops_to', 'rises_to'],
  ['account', 'tag', 'email'],
];

/** Words that a member may have, beside those of its schema. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  network: ['ethereum', 'polygon', 'arbitrum'],
  country: ['DE', 'US', 'GB'],
  nationalities: ['DE', 'FR'],
  phone: ['+491701234567'],
  email: ['ada@customer.example'],
  report_type: ['swaps', 'price_trigger_swaps', 'earn_rewards'],
  affiliate_fee_bps: ['0', '100'],
  url: ['https://partner.example/hook'],
  front_url: ['https://partner.example/front.jpg'],
  back_url: ['https://partner.example/back.jpg'],
  verifier_response_url: ['https://partner.example/response.json'],
  events: ['quote.executed', 'withdrawal.completed', 'deposit.completed'],
  start_timestamp: ['2026-01-15T00:00:00Z'],
  end_timestamp: ['2026-03-15T00:00:00Z'],
  start_date: ['2026-01-01T00:00:00Z'],
  end_date: ['2026-02-01T00:00:00Z'],
  date: ['1990-01-02'],
  interval: ['PT1H', 'P1D'],
  fee_token: ['KFEE'],
};

/** Makes legal-looking input of an operation from its description: most of it is accepted. */
export class RandomInput {
  readonly #dice: Dice;
  readonly #known: Known;
  #names = 0;
  /** The account of the request, whose ids come first. */
  #account = '';

  constructor(dice: Dice, known: Known) {
    this.#dice = dice;
    this.#known = known;
  }

  params(operation: Operation): Record<string, string> {
    const shape = shapeOf(operation.params);
    const { account_id: account, ...properties } = shape.properties ?? {};
    this.#account = account === undefined ? '' : this.#id('account_id');
    const others = this.#object({ ...shape, properties }, groupOf(operation), 'params');
    return (account === undefined ? others : { account_id: this.#account, ...others }) as Record<string, string>;
  }

  query(operation: Operation): Members {
    return this.#object(shapeOf(operation.query), groupOf(operation), 'query');
  }

  body(operation: Operation): Members | undefined {
    return operation.body === undefined ? undefined : this.#object(shapeOf(operation.body), groupOf(operation), 'body');
  }

  #object({ properties = {}, required = [] }: Shape, group: string, name: string): Members {
    const made: Members = {};
    const left = new Set(Object.keys(properties).filter((member) => this.#isPresent(member, required)));
    this.#choosePairs(left, properties, made, group);
    for (const alternatives of ALTERNATIVES) {
      if (!alternatives.every((one) => one in properties)) continue;
      const chosen = this.#dice.choose(alternatives);
      for (const one of alternatives) left.delete(one);
      left.add(chosen);
    }
    for (const member of left) made[member] = this.#member(member, properties[member] ?? {}, group, name, made);
    this.#leaveOneAmount(made);
    if (group === 'withdrawals') nameAsset(made);
    return made;
  }

  #isPresent(member: string, required: readonly string[]): boolean {
    if (required.includes(member)) return true;
    if (member === 'page_token' || member === 'cursor') return this.#dice.chance(0.1);
    if (/^(from|to|asset|memo|tag|source|destination|via|status)$|^(from|to|in|out)_|^country$/.test(member))
      return this.#dice.chance(0.95);
    return this.#dice.chance(0.4);
  }

  /** A symbol has the class of its asset. */
  #choosePairs(left: Set<string>, properties: Readonly<Record<string, Shape>>, made: Members, group: string): void {
    for (const [symbol, type] of PAIRS) {
      if (!left.has(symbol) || !(type in properties)) continue;
      const allowed = properties[type]?.enum;
      const usual = group === 'onchainQuotes' ? ONCHAIN : (RAMP[symbol] ?? ASSETS);
      const assets = usual.filter((asset) => allowed?.includes(asset.split(':')[0] ?? '') ?? true);
      const [ofType = '', ofSymbol = ''] = this.#dice.choose(assets).split(':');
      made[symbol] = ofSymbol;
      made[type] = ofType;
      left.delete(symbol);
      left.delete(type);
    }
  }

  /** Of two sides, one has the amount. */
  #leaveOneAmount({ from, to }: Members): void {
    const [one, other] = [from, to].map((side) => ((side as Members | undefined)?.['asset'] ?? side) as Members);
    if (one === undefined || other === undefined || typeof other !== 'object' || this.#dice.chance(0.03)) return;
    if (!('symbol' in other)) return;
    const [fixed, free] = other['amount'] !== undefined && this.#dice.chance(0.5) ? [other, one] : [one, other];
    fixed['amount'] ??= this.#amount();
    delete free['amount'];
  }

  #member(member: string, shape: Shape, group: string, parent: string, made: Members): unknown {
    if (shape.anyOf !== undefined) return this.#member(member, shape.anyOf[0] ?? {}, group, parent, made);
    if (shape.type === 'object') return this.#object(shape, group, member);
    if (shape.type === 'array') return [this.#member(member, shape.items ?? {}, group, parent, made)];
    if (shape.type === 'boolean') return this.#dice.chance(0.5);
    if (shape.type === 'integer' || shape.type === 'number') return this.#number(member, shape);
    return this.#text(member, shape, group, parent, made);
  }

  #number(member: string, { minimum = 1, maximum = 25 }: Shape): number {
    if (member === 'bps') return this.#dice.choose([0, 7, 33.3]);
    return this.#dice.integer(minimum, Math.min(maximum, 25));
  }

  #text(member: string, { enum: allowed }: Shape, group: string, parent: string, made: Members): string {
    if (/symbol$/.test(member)) return this.#dice.choose(ASSETS).split(':')[1] ?? '';
    if (member === 'memo' || member === 'tag') return String(this.#dice.integer(1, 10 ** 6));
    if (/amount|_to$/.test(member) && member !== 'to') return this.#amount();
    if (member === 'key')
      return group === 'withdrawalAddresses' && parent === 'body'
        ? `${made['asset_symbol']} ${this.#name()}`
        : this.#id('key');
    if (member === 'new_key' || member === 'external_reference') return this.#name();
    if (member === 'via') return this.#dice.choose(NETWORKS);
    if (member === 'address' && parent === 'wallet') return ADDRESSES.ethereum;
    if (member === 'address') {
      const via = made['via'] as keyof typeof ADDRESSES | undefined;
      return (via === undefined ? ADDRESS_OF[String(made['asset_symbol'])] : ADDRESSES[via]) ?? ADDRESSES.bitcoin;
    }
    if (member === 'account') return this.#id('account_id');
    if (member === 'id') return this.#id(group);
    if (member === 'page_token' || member === 'cursor') return this.#id(`${group}.${member}`);
    if (member.endsWith('_id')) return this.#id(member === 'quote_id' ? group : member);
    if (member === 'type' && allowed === undefined) return this.#dice.choose(['balance', 'wallet', 'bank', 'user']);
    return this.#dice.choose(allowed ?? WORDS[member] ?? ['a word']);
  }

  #id(group: string): string {
    const own = this.#known(`${this.#account}/${group}`);
    const known = own.length > 0 ? own : this.#known(group);
    // The first two have money. Of others, something may still happen to the newest.
    if (group === 'account_id' && this.#dice.chance(0.8)) return known[this.#dice.integer(0, 1)] ?? '';
    if (known.length === 0 || this.#dice.chance(0.02)) return 'AB00000-00000-000000';
    return this.#dice.chance(0.6) ? (known.at(-1) ?? '') : this.#dice.choose(known);
  }

  #name(): string {
    this.#names += 1;
    return `name ${this.#names}`;
  }

  /** From dust to more than an account has, and with more places than an asset has. */
  #amount(): string {
    const whole = this.#dice.choose([0, 0, 0, 1, 2, 5, 20, 100, 400, 3_000, 10 ** 9]);
    const places = this.#dice.choose([0, 0, 1, 2, 2, 4, 8, 18, 60]);
    if (places === 0) return String(whole);
    const digits = Array.from({ length: places }, () => this.#dice.integer(0, 9)).join('');
    return `${whole}.${digits}`;
  }
}

/** A withdrawal is of the asset that its address was saved for: the name begins with it. */
function nameAsset(made: Members): void {
  const [symbol = ''] = String(made['key']).split(' ');
  const asset = ASSETS.find((one) => one.endsWith(`:${symbol}`));
  if (asset === undefined) return;
  made['asset_symbol'] = symbol;
  made['asset_type'] = asset.split(':')[0];
}

/** The group of an operation, for example `quotes` of `accounts.quotes.get`. */
export function groupOf({ name }: Operation): string {
  return name.split('.').at(-2) ?? '';
}

const shapes = new Map<LazySchema, Shape>();

function shapeOf(schema: LazySchema | undefined): Shape {
  if (schema === undefined) return {};
  let shape = shapes.get(schema);
  if (shape === undefined) {
    shape = z.toJSONSchema(schema(), { unrepresentable: 'any', io: 'input' }) as Shape;
    shapes.set(schema, shape);
  }
  return shape;
}
