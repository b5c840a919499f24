import type { OnDemandConversion } from '../../../resources/accounts/on-demand-conversions.js';
import { WEBHOOK_KINDS } from '../../../resources/webhook-kinds.js';
import type { Wire } from '../../../schema/types.js';
import { timestamp } from '../../core/clock/clock.js';
import type { EventKind } from '../../core/events.js';
import type { Sample, SampleSource } from '../../core/kind/kind.js';
import { type Asset, assetRef } from '../../core/market/catalogue.js';
import { priceIn, written } from '../../core/money/money.js';
import { allRecords } from '../../core/records/find-record.js';
import type { RecordKind } from '../../core/records/records.js';
import type { State } from '../../core/records/state.js';
import { KINDS } from '../../kinds/index.js';
import { accountConversions } from '../../kinds/lifecycles/inbound/conversion-record.js';

/** A payload of each kind: of the newest record of the sandbox, else one made up in its form. */
const SAMPLES: { readonly [Kind in EventKind]?: Sample } = {
  ...Object.assign({}, ...KINDS.map(({ events }) => events)),
  'conversion.withdrawal_completed': (source) => onDemand(source, 'completed', ({ to }) => to.type !== 'balance'),
  'conversion.quote_execution_failed': (source) => onDemand(source, 'failed', () => true),
  'swap.completed': (source) => swap(source, 'completed'),
  'swap.failed': (source) => swap(source, 'failed'),
  'webhook.test': () => ({ message: 'This is a test webhook event to verify your endpoint configuration.' }),
};

/** True for a kind that the sandbox sends. */
export function isEventKind(kind: string): kind is EventKind {
  return Object.hasOwn(SAMPLES, kind);
}

/** An event that `trigger` can send. */
export interface WebhookSample {
  /** For example `quote.executed`. */
  readonly kind: string;
  /** The payload, made from the sandbox's own records. */
  readonly data: object;
}

export const samplesOf = (state: State): WebhookSample[] =>
  WEBHOOK_KINDS.map((kind) => ({ kind, data: samplePayload(state, kind) }));

/** Returns the payload of a kind. One that is not known has the account alone. */
export function samplePayload(state: State, kind: string): object {
  const [account] = state.accounts.values();
  if (account === undefined) throw new Error('webhooks.trigger: the sandbox has no account');
  if (!isEventKind(kind)) return { account: account.id };
  const source = { state, account, random: state.random.fork(kind), now: timestamp(state.clock.now()) };
  return structuredClone(SAMPLES[kind]?.(source) ?? {});
}

function newestOf<T>(state: State, kind: RecordKind<T>): T | undefined {
  return allRecords(state, kind).at(-1)?.record;
}

/** The seed has conversions in every state. */
function onDemand(
  { account }: SampleSource,
  status: string,
  fits: (conversion: Wire<OnDemandConversion>) => boolean,
): object {
  const all = Array.from(account.conversions.values(), ({ conversion }) => conversion).filter(fits);
  return all.findLast((one) => one.status === status) ?? { ...all.at(-1), status };
}

function swap({ state, random, now }: SampleSource, status: string): object {
  const { from, to } = trade(state);
  const balance = { type: 'balance' };
  const made = {
    id: random.uuid(),
    from: { asset: from, source: balance },
    to: { asset: to, destination: balance },
    ...{ fees: {}, chain_references: {}, created_at: now, updated_at: now },
  };
  return { ...made, ...newestOf(state, accountConversions)?.conversion, status };
}

/** 100 US dollars for Bitcoin, at the present price. */
function trade(state: State) {
  const [btc, usd] = [bitcoin(state), dollar(state)];
  const price = priceIn(btc, usd);
  return {
    from: { ...assetRef(usd), amount: '100.00' },
    to: { ...assetRef(btc), amount: written(priceIn(usd, btc).times(100), btc.places) },
    price: written(price, usd.places),
  };
}

const bitcoin = ({ catalogue }: State): Asset => catalogue.get('BTC', 'crypto');
const dollar = ({ catalogue }: State): Asset => catalogue.get('USD', 'fiat');
