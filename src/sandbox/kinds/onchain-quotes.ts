import * as z from 'zod/mini';
import {
  createOnchainQuote,
  getOnchainQuote,
  listOnchainQuotes,
  type OnchainQuote,
  type OnchainQuoteCreateBody,
  type OnchainQuoteListParams,
} from '../../resources/accounts/onchain-quotes.js';
import type { Wire } from '../../schema/types.js';
import { ALPHABETS } from '../core/basics/random.js';
import { timestamp } from '../core/clock/clock.js';
import { recordsOf } from '../core/kind/find.js';
import type { Found, Kind, Moves } from '../core/kind/kind.js';
import { statesOf } from '../core/kind/states.js';
import { type Asset, assetRef } from '../core/market/catalogue.js';
import { Money } from '../core/money/money.js';
import { dropStep, scheduleStep, willFail } from '../core/moves.js';
import { change, keep, move, put } from '../core/mutations.js';
import { answeringMade, failsLater, outcomesOf } from '../core/outcomes.js';
import { handleCreation, listNewest, showNamed } from '../core/reading.js';
import type { RecordKind } from '../core/records/records.js';
import { answered, milliseconds, moment } from '../core/records/saved-values.js';
import type { AccountState, State } from '../core/records/state.js';
import { badRequest } from '../core/request/refusal.js';
import { QUOTE_TTL_MS } from './quotes.js';
import { wrongOnNetwork } from './shared/addresses/check-address.js';
import { evmAddress } from './shared/addresses/generate.js';
import { priceSwap, type Swap } from './shared/swaps.js';

/** Time in ms until the chain has confirmed a swap. */
const CONFIRMING_MS = 15_000;

/** Chain ids of the networks on which swaps are settled. */
const CHAIN_IDS: Readonly<Record<string, string>> = { ethereum: '1', polygon: '137', arbitrum: '42161' };

/** Wallet-funded quotes are for tokenised stocks and stablecoins. */
const ONCHAIN_TYPES: readonly string[] = ['xstock', 'stablecoin'];

type WireQuote = Wire<OnchainQuote>;
type Details = NonNullable<WireQuote['execution_details']>;
type Body = Wire<OnchainQuoteCreateBody>;

interface OnchainQuoteRecord {
  readonly quote: WireQuote;
  /** Position among the account's on-chain quotes: a newer one is higher. */
  readonly sequence: number;
  /** The part that is shown once the quote is offered. */
  readonly details: Details;
  /** True if it will end in `failed`. */
  readonly fails: boolean;
}

const ONCHAIN_QUOTE_STEPS = ['onchain_quote.offer', 'onchain_quote.finish'] as const;

/** `sandbox.onchainQuotes`: simulates what happens to on-chain quotes outside the API. */
export interface SandboxOnchainQuotes {
  /** Offers a pending quote now; `failed` after `fail`. */
  offer(quoteId: string): Wire<OnchainQuote>;
  /**
   * Simulates that the application submits an offered quote on the chain: the quote is `executing`,
   * and 15 s later `executed`.
   */
  submit(quoteId: string): void;
  /** Finishes the execution now: `executed`, or `failed` after `fail`. */
  settle(quoteId: string): Wire<OnchainQuote>;
  /** Makes an offered quote expire now: `expires_at` becomes the current time. */
  expire(quoteId: string): Wire<OnchainQuote>;
  /** Makes a quote fail: a pending quote is not offered, and any other is not executed. */
  fail(quoteId: string): void;
  /**
   * Sets the time for which a new quote is `pending` before it is `offered`. Default 0.
   *
   * @param pendingMs Time in ms of the sandbox's clock.
   */
  setPendingTime(pendingMs: number): void;
}

const pendingTime = z.number().check(z.nonnegative(), z.maximum(86_400_000));

/** Time in ms for which new on-chain quotes are pending. */
const onchainPricing: RecordKind<{ readonly ms: number }> = {
  name: 'onchainPricing',
  schema: () => z.object({ ms: milliseconds }),
};

/** The on-chain quotes of an account, oldest first. */
export const onchainQuotes: Kind<OnchainQuoteRecord> = {
  name: 'onchainQuotes',
  noun: 'on-chain quote',
  owner: 'account',
  scope: 'trade',
  schema: () =>
    z.object({
      quote: answered<WireQuote>(getOnchainQuote, ['data'], {
        status: z.enum(statesOf(onchainQuotes)),
        expires_at: moment,
      }),
      sequence: z.int(),
      details: z.custom<Details>((value) => typeof value === 'object' && value !== null),
      fails: z.boolean(),
    }),
  moreOfPartner: [onchainPricing],
  shown: ({ quote }) => quote,
  stateOf: ({ quote }) => quote.status,
  inState: (record, status) => ({ ...record, quote: { ...record.quote, status } }),
  initial: ['offered', 'pending'],
  steps: {
    'onchain_quote.offer': {
      from: ['pending'],
      to: 'offered',
      after: { fail: 'failed' },
      effect: (id) => `On-chain quote ${id} is offered, or fails.`,
      run: offer,
    },
    'onchain_quote.finish': {
      from: ['executing'],
      to: 'executed',
      after: { fail: 'failed' },
      effect: (id) => `On-chain quote ${id} is executed, or fails.`,
      run: finish,
    },
  },
  expiry: {
    step: 'onchain_quote.expire',
    from: 'offered',
    to: 'expired',
    effect: (id) => `On-chain quote ${id} expires.`,
    at: ({ quote }) => Date.parse(quote.expires_at),
  },
  idName: 'quoteId',
  moves: {
    offer: { from: ['pending'], steps: ['onchain_quote.offer'] },
    submit: {
      from: ['offered'],
      to: 'executing',
      run: (state, found) => {
        move(state, onchainQuotes, found, 'executing');
        scheduleStep(state, 'onchain_quote.finish', found, CONFIRMING_MS);
      },
    },
    settle: { from: ['executing'], steps: ['onchain_quote.finish'] },
    expire: {
      from: ['offered'],
      to: 'expired',
      run: (state, found) => {
        const expires_at = timestamp(state.clock.now());
        return move(state, onchainQuotes, found, 'expired', (record) => withMembers(record, { expires_at })).quote;
      },
    },
    fail: { from: ['pending', 'offered', 'executing'], run: (state, found) => willFail(state, onchainQuotes, found) },
  } satisfies Moves<Exclude<keyof SandboxOnchainQuotes, 'setPendingTime'>, OnchainQuoteRecord>,
  methods: {
    setPendingTime: {
      takes: { pendingMs: pendingTime },
      run(state, ms: number): void {
        keep(state, onchainPricing, undefined, 'all', { ms });
      },
    },
  },
  operations: [
    handleCreation<Body>(createOnchainQuote, create),
    showNamed(getOnchainQuote, () => onchainQuotes),
    listNewest<OnchainQuoteListParams, OnchainQuoteRecord>(listOnchainQuotes, () => onchainQuotes),
  ],
  outcomes: [
    outcomesOf(createOnchainQuote, 'id', {
      failed: failsLater('The quote fails once it is submitted.', () => onchainQuotes),
      pending: {
        summary: 'The quote is not offered. It stays pending until you call `onchainQuotes.offer`.',
        apply: answeringMade(() => onchainQuotes, staysPending),
      },
    }),
  ],
  choices: {
    [createOnchainQuote.name]: 'Supports `ethereum`, `polygon` and `arbitrum`, between `xstock` and `stablecoin`.',
    [listOnchainQuotes.name]: 'Lists the newest quote first, 20 quotes per page by default.',
    [getOnchainQuote.name]:
      'Shows `execution_details` once the quote is offered. A submitted quote is `executed` 15 s later. The sandbox then sends `swap.completed`, or `swap.failed` if the quote is `failed`.',
  },
};

function checkedChain({ from, to }: Body): string {
  for (const [field, { type }] of [['from.type', from] as const, ['to.type', to] as const]) {
    if (!ONCHAIN_TYPES.includes(type)) throw badRequest({ field, message: 'must be xstock or stablecoin' });
  }
  const { address, network } = from.wallet;
  const causes = wrongOnNetwork('from.wallet.address', address, network);
  const chainId = Object.hasOwn(CHAIN_IDS, network) ? CHAIN_IDS[network] : undefined;
  if (chainId === undefined) {
    causes.push({ field: 'from.wallet.network', message: `must be one of ${Object.keys(CHAIN_IDS).join(', ')}` });
  }
  if (chainId === undefined || causes.length > 0) throw badRequest(...causes);
  return chainId;
}

/** Creates a quote: `offered` for 30 s, with a pending time `pending` before that. */
function create(state: State, account: AccountState, body: Body): WireQuote {
  const chainId = checkedChain(body);
  const swap = priceSwap(state, body.from, body.to);
  const { clock, random } = state;
  const pendingMs = state.records.of(onchainPricing).get('all')?.ms ?? 0;
  const expiresAt = clock.now() + pendingMs + QUOTE_TTL_MS;
  const id = random.uuid();
  const details = detailsOf(state, swap, { id, expiresAt, chainId, clientAddress: body.from.wallet.address });
  const quote: WireQuote = {
    id,
    status: pendingMs > 0 ? 'pending' : 'offered',
    expires_at: timestamp(expiresAt),
    from: { ...assetRef(swap.from), amount: swap.fromAmount },
    to: { ...assetRef(swap.to), amount: swap.toAmount },
    ...(pendingMs > 0 ? {} : { execution_details: details }),
  };
  const sequence = (recordsOf(state, onchainQuotes, account).newest()?.sequence ?? 0) + 1;
  const found = { account, id, record: { quote, sequence, details, fails: false } };
  for (const dropped of put(state, onchainQuotes, found)) {
    for (const step of ONCHAIN_QUOTE_STEPS) dropStep(state, step, dropped.quote.id);
  }
  if (pendingMs > 0) scheduleStep(state, 'onchain_quote.offer', found, pendingMs);
  return quote;
}

interface Offer {
  readonly id: string;
  readonly expiresAt: number;
  /** The address of the wallet that pays. */
  readonly clientAddress: string;
  readonly chainId: string;
}

function detailsOf({ random }: State, swap: Swap, offer: Offer): Details {
  const { id, expiresAt, clientAddress, chainId } = offer;
  const proxyAddress = evmAddress(random);
  const transfer = (from: string, to: string, asset: Asset, amount: string) => ({
    from,
    to,
    token: evmAddress(random),
    amount: baseUnits(amount, asset),
  });
  const signature = (): string => `0x${random.text(130, ALPHABETS.hex)}`;
  return {
    chain_id: chainId,
    proxy_address: proxyAddress,
    proxy_swap_message: {
      atomic_message: {
        quote_id: id,
        expiration: Math.floor(expiresAt / 1000),
        incoming_transfer: transfer(clientAddress, proxyAddress, swap.from, swap.fromAmount),
        outgoing_transfer: transfer(proxyAddress, clientAddress, swap.to, swap.toAmount),
      },
      atomic_signature: signature(),
      signature: signature(),
      client_address: clientAddress,
    },
  };
}

/** Returns the amount in the smallest units of the token, without what is left below one. */
function baseUnits(amount: string, asset: Asset): string {
  const scale = new Money(10).pow(asset.listing.decimals.funding);
  return new Money(amount).times(scale).floor().toFixed(0);
}

const withMembers = (record: OnchainQuoteRecord, members: Partial<WireQuote>): OnchainQuoteRecord => ({
  ...record,
  quote: { ...record.quote, ...members },
});

/** `pending → offered | failed`. */
function offer(state: State, found: Found<OnchainQuoteRecord>): void {
  const { fails, details } = found.record;
  if (fails) move(state, onchainQuotes, found, 'failed');
  else move(state, onchainQuotes, found, 'offered', (record) => withMembers(record, { execution_details: details }));
}

/** `executing → executed | failed`. */
function finish(state: State, found: Found<OnchainQuoteRecord>): void {
  const { fails } = found.record;
  const { quote } = move(state, onchainQuotes, found, fails ? 'failed' : 'executed');
  state.events.emit(fails ? 'swap.failed' : 'swap.completed', quote);
}

/** Makes a quote that was just offered `pending`, for an outcome of its operation. */
function staysPending(state: State, found: Found<OnchainQuoteRecord>): WireQuote {
  dropStep(state, 'onchain_quote.offer', found.id);
  const { execution_details: _, ...quote } = found.record.quote;
  return change(state, onchainQuotes, found, { ...found.record, quote: { ...quote, status: 'pending' } }).quote;
}
