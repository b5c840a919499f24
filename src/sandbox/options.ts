import { checkGiven, FUNCTION, type Rules } from '../util/options.js';
import type { ControlCall } from './serve/control/control-messages.js';
import { WORLD_RULES, type WorldOptions } from './serve/sandbox/world-options.js';
import type { JournalEntry } from './service/journal/journal.js';
import type { Delivery, DeliveryAttempt } from './webhooks/delivery/delivery.js';
import type { Deliver } from './webhooks/delivery/in-process.js';

/** Options of a sandbox. */
export interface SandboxOptions extends WorldOptions {
  /**
   * Called with each new entry of the journal. A failure is reported once as a warning.
   *
   * @example
   * const onRequest = ({ operation, status }: JournalEntry) => console.log(operation, status);
   * const { client } = createTestClient({ onRequest });
   * await client.users.get(userId); // prints users.get 200
   */
  readonly onRequest?: ((entry: JournalEntry) => void) | undefined;
  /**
   * Receives webhook deliveries instead of the network: a function like `fetch`, for example an
   * application's own (`(request) => app.fetch(request)`). An attempt fails if it throws, rejects,
   * returns something other than a `Response`, or takes more than 30 s. Default: the network, with
   * one connection for each attempt.
   *
   * @example
   * const tested = createSandbox({ deliver: (request) => app.fetch(request) });
   * tested.webhooks.register({ url: 'https://partner.example/hooks' });
   * await tested.webhooks.trigger('quote.executed');
   */
  readonly deliver?: Deliver | undefined;
  /**
   * Called after each attempt to deliver a webhook. A failure is reported once as a warning.
   *
   * @example
   * const tested = createSandbox({
   *   deliver: (request) => app.fetch(request),
   *   onDelivery: ({ type }, { status }) => console.log(type, status),
   * });
   * tested.webhooks.register({ url: 'https://partner.example/hooks' });
   * await tested.webhooks.trigger('quote.executed'); // prints quote.executed 200
   */
  readonly onDelivery?: ((delivery: Delivery, attempt: DeliveryAttempt) => void) | undefined;
  /**
   * Called with each method called over HTTP. A failure is reported once as a warning.
   *
   * @example
   * const tested = createSandbox({ onControl: ({ method, problem }) => audit.add(method, problem) });
   * const { url } = await tested.listen();
   * const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '[60000]' };
   * await fetch(`${url}/_sandbox/clock/advance`, post); // audits clock.advance
   * await tested.close();
   */
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
