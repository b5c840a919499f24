import { checkGiven, FUNCTION, type Rules } from '../util/options.js';
import type { ControlCall } from './serve/control/control-messages.js';
import { WORLD_RULES, type WorldOptions } from './serve/sandbox/world-options.js';
import type { JournalEntry } from './service/journal/journal.js';
import type { Delivery, DeliveryAttempt } from './webhooks/delivery/delivery.js';
import type { Deliver } from './webhooks/delivery/in-process.js';

/** Options of a sandbox. */
export interface SandboxOptions extends WorldOptions {
  /** Called with each new entry of the journal. A failure is reported once as a warning. */
  readonly onRequest?: ((entry: JournalEntry) => void) | undefined;
  /**
   * Takes webhook deliveries instead of the network: a function like `fetch`, for example an
   * application's own (`(request) => app.fetch(request)`). An attempt fails if it throws, rejects,
   * returns something other than a `Response`, or takes more than 30 s. Default: the network, with
   * one connection for each attempt.
   */
  readonly deliver?: Deliver | undefined;
  /** Called after each attempt to deliver a webhook. A failure is reported once as a warning. */
  readonly onDelivery?: ((delivery: Delivery, attempt: DeliveryAttempt) => void) | undefined;
  /** Called with each method called over HTTP. A failure is reported once as a warning. */
  readonly onControl?: ((call: ControlCall) => void) | undefined;
}

const SANDBOX_RULES = {
  ...WORLD_RULES,
  onRequest: FUNCTION,
  deliver: FUNCTION,
  onDelivery: FUNCTION,
  onControl: FUNCTION,
} satisfies Rules<SandboxOptions>;

/** Reads the options. Throws a `TypeError` that names the first wrong one. */
export function readSandboxOptions(options: SandboxOptions): SandboxOptions {
  return checkGiven('createSandbox', options, SANDBOX_RULES, TypeError);
}
