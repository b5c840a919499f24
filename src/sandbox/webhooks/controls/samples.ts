import { WEBHOOK_KINDS } from '../../../resources/webhook-kinds.js';
import type { EventKind } from '../../core/basics/events.js';
import { timestamp } from '../../core/clock/clock.js';
import type { Sample } from '../../core/kind/kind.js';
import type { State } from '../../core/records/state.js';
import { KINDS } from '../../kinds/registry/index.js';
import { TEST_DATA } from '../test-delivery.js';

/** A payload for each kind: of the sandbox's newest record, or a made-up one if there is none. */
const SAMPLES: { readonly [Kind in EventKind]?: Sample } = {
  ...Object.assign({}, ...KINDS.map(({ events }) => events)),
  'webhook.test': () => TEST_DATA,
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

/** Returns the payload of a kind. For an unknown kind it contains only the account. */
export function samplePayload(state: State, kind: string): object {
  const [account] = state.accounts.values();
  if (account === undefined) throw new Error('webhooks.trigger: the sandbox has no account');
  if (!isEventKind(kind)) return { account: account.id };
  const source = { state, account, random: state.random.fork(kind), now: timestamp(state.clock.now()) };
  return structuredClone(SAMPLES[kind]?.(source) ?? {});
}
