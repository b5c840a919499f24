import * as z from 'zod/mini';
import { getOnchainQuote, type OnchainQuote } from '../../../resources/accounts/onchain-quotes.js';
import type { Wire } from '../../../schema/types.js';
import { timestamp } from '../../core/clock/clock.js';
import type { StepTask } from '../../core/clock/task.js';
import { type Asset, assetRef } from '../../core/market/catalogue.js';
import { Money } from '../../core/money/money.js';
import { ALPHABETS } from '../../core/random.js';
import type { RecordKind } from '../../core/records/records.js';
import { answered, milliseconds, moment } from '../../core/records/saved-values.js';
import type { AccountState, State } from '../../core/records/state.js';
import { notFound } from '../../core/request/refusal.js';
import { QUOTE_TTL_MS } from '../quotes.js';
import { evmAddress } from '../shared/addresses/made-up.js';
import type { Swap } from '../shared/swaps.js';

type WireQuote = Wire<OnchainQuote>;

export interface OnchainQuoteRecord {
  readonly quote: WireQuote;
  /** Rises with every on-chain quote of the account. */
  readonly sequence: number;
  /** The part that is shown from the offer on. */
  readonly details: NonNullable<WireQuote['execution_details']>;
  /** It will end in `failed`. */
  fails: boolean;
}

const STATUSES = ['pending', 'offered', 'executing', 'executed', 'expired', 'failed'] as const;

export const onchainQuotes: RecordKind<OnchainQuoteRecord> = {
  name: 'onchainQuotes',
  schema: () =>
    z.object({
      quote: answered<WireQuote>(
        getOnchainQuote,
        ['data'],
        z.looseObject({ status: z.enum(STATUSES), expires_at: moment }),
      ),
      sequence: z.int(),
      details: z.custom<OnchainQuoteRecord['details']>((value) => typeof value === 'object' && value !== null),
      fails: z.boolean(),
    }),
};

/** Time that new on-chain quotes are pending, in ms. */
export const onchainPricing: RecordKind<{ readonly ms: number }> = {
  name: 'onchainPricing',
  schema: () => z.object({ ms: milliseconds }),
};

/** A confirmation on the chain takes this long. */
const CONFIRMING_MS = 15_000;

const OFFER_STEP = 'onchain_quote.offer';
const FINISH_STEP = 'onchain_quote.finish';

/** Makes a quote: `offered` for 30 s, or `pending` before that. */
export function priceOnchain(
  state: State,
  account: AccountState,
  swap: Swap,
  clientAddress: string,
  chainId: string,
): WireQuote {
  const { clock, random } = state;
  const pendingMs = state.records.of(onchainPricing).get('all')?.ms ?? 0;
  const expiresAt = clock.now() + pendingMs + QUOTE_TTL_MS;
  const id = random.uuid();
  const details = detailsOf(state, swap, { id, expiresAt, clientAddress, chainId });
  const quote: WireQuote = {
    id,
    status: pendingMs > 0 ? 'pending' : 'offered',
    expires_at: timestamp(expiresAt),
    from: { ...assetRef(swap.from), amount: swap.fromAmount },
    to: { ...assetRef(swap.to), amount: swap.toAmount },
    ...(pendingMs > 0 ? {} : { execution_details: details }),
  };
  const records = account.records.of(onchainQuotes);
  const sequence = (records.newest()?.sequence ?? 0) + 1;
  for (const forgotten of records.set(id, { quote, sequence, details, fails: false })) {
    clock.drop((task) => task.kind === 'step' && task.id === forgotten.quote.id);
  }
  if (pendingMs > 0) clock.plan(clock.now() + pendingMs, { kind: 'step', step: OFFER_STEP, id, account: account.id });
  return quote;
}

/** Returns the quote as it is now, or throws 404. */
export function findOnchainQuote(state: State, account: AccountState, id: string): OnchainQuoteRecord {
  const record = account.records.of(onchainQuotes).get(id);
  if (record === undefined) throw notFound(getOnchainQuote);
  return asOfNow(state, record);
}

/** An old offer is `expired`. */
export function asOfNow({ clock }: State, record: OnchainQuoteRecord): OnchainQuoteRecord {
  const { quote } = record;
  if (quote.status === 'offered' && Date.parse(quote.expires_at) <= clock.now()) quote.status = 'expired';
  return record;
}

/** `offered → expired`, before its time. */
export function expireOnchain({ clock }: State, { quote }: OnchainQuoteRecord): WireQuote {
  quote.expires_at = timestamp(clock.now());
  quote.status = 'expired';
  return quote;
}

/** `offered → executing`: the application has submitted it on the chain. */
export function submitOnchain({ clock }: State, account: AccountState, { quote }: OnchainQuoteRecord): void {
  quote.status = 'executing';
  clock.plan(clock.now() + CONFIRMING_MS, { kind: 'step', step: FINISH_STEP, id: quote.id, account: account.id });
}

export const ONCHAIN_STEPS: Readonly<Record<string, (state: State, step: StepTask) => void>> = {
  [OFFER_STEP]: (state, step) => {
    const record = recordOf(state, step);
    if (record?.quote.status !== 'pending') return;
    record.quote.status = record.fails ? 'failed' : 'offered';
    if (!record.fails) record.quote.execution_details = record.details;
  },
  [FINISH_STEP]: (state, step) => {
    const record = recordOf(state, step);
    if (record?.quote.status !== 'executing') return;
    record.quote.status = record.fails ? 'failed' : 'executed';
    state.events.emit(record.fails ? 'swap.failed' : 'swap.completed', record.quote);
  },
};

const recordOf = ({ accounts }: State, { account, id }: StepTask): OnchainQuoteRecord | undefined =>
  accounts
    .get(account ?? '')
    ?.records.of(onchainQuotes)
    .get(id);

interface Offer {
  readonly id: string;
  readonly expiresAt: number;
  readonly clientAddress: string;
  readonly chainId: string;
}

function detailsOf({ random }: State, swap: Swap, offer: Offer): OnchainQuoteRecord['details'] {
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

/** Returns whole units of the token's smallest part. Smaller parts cannot be transferred. */
function baseUnits(amount: string, asset: Asset): string {
  const scale = new Money(10).pow(asset.listing.decimals.funding);
  return new Money(amount).times(scale).floor().toFixed(0);
}
