import { WEBHOOK_KINDS } from '../../../resources/webhook-kinds.js';
import { timestamp } from '../../core/clock/clock.js';
import type { Sample } from '../../core/kind/kind.js';
import type { State } from '../../core/records/state.js';
import { KINDS } from '../../kinds/registry/index.js';
import { RAMP_CALLBACK } from '../delivery/payload.js';
import { TEST_DATA } from '../test-delivery.js';

/** A payload for a kind: of the sandbox's newest record, or a made-up one if there is none. */
const SAMPLES: ReadonlyMap<string, Sample> = new Map<string, Sample>([
  ...KINDS.flatMap(({ events = {} }) => Object.entries(events)),
  ['webhook.test', () => TEST_DATA],
  [RAMP_CALLBACK, ({ random }) => ({ status: 'completed', payload: { transaction_id: random.uuid() } })],
]);

/** The kinds that `trigger` sends without `allowUnknown`. */
export const KNOWN_KINDS: readonly string[] = [...WEBHOOK_KINDS, RAMP_CALLBACK];

/** An event that `trigger` can send. */
export interface WebhookSample {
  /** For example `quote.executed`. */
  readonly kind: string;
  /** The payload, made from the sandbox's own records. */
  readonly data: object;
}

export const samplesOf = (state: State): WebhookSample[] =>
  WEBHOOK_KINDS.map((kind) => ({ kind, data: samplePayload(state, kind) }));

/** Returns the payload of a kind: only the account if nothing in the sandbox causes the kind. */
export function samplePayload(state: State, kind: string): object {
  const [account] = state.accounts.values();
  if (account === undefined) throw new Error('webhooks.trigger: the sandbox has no account');
  const sample = SAMPLES.get(kind);
  if (sample === undefined) return { account: account.id };
  const source = { state, account, random: state.random.fork(kind), now: timestamp(state.clock.now()) };
  return structuredClone(sample(source));
}
