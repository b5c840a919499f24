import * as z from 'zod/mini';
import { checked, count, wholeMs } from './core/basics/checked.js';
import { scopeList } from './core/keys/credential-options.js';
import type { ApiKeyScope } from './core/keys/scopes.js';
import type { SandboxSnapshot } from './drive/snapshot/snapshot-schema.js';
import { otpText } from './kinds/otp.js';
import { ownUsers, type SandboxUserInput } from './kinds/users.js';
import type { ControlCall } from './serve/control/control-messages.js';
import type { IdempotencyScope } from './service/idempotency/idempotency.js';
import type { JournalEntry } from './service/journal/journal.js';
import { type SettingsInput, settingsInput } from './trouble/settings.js';
import { type TroubleOptions, troubleOptions } from './trouble/trouble.js';
import type { Delivery, DeliveryAttempt } from './webhooks/delivery/delivery.js';
import type { Deliver } from './webhooks/delivery/in-process.js';

/** Options of a sandbox. */
export interface SandboxOptions {
  /** An integer. The same seed gives the same data, ids and credentials. Default 1. */
  readonly seed?: number | undefined;
  /**
   * If `false` (default), the clock starts at a fixed time and moves only when you call `advance`,
   * so every run is the same. If `true`, the clock runs with the machine's clock, due changes
   * happen by themselves, and `advance` moves the clock further ahead.
   */
  readonly realTime?: boolean | undefined;
  /**
   * Maximum number of requests in the journal, 0 or more; the oldest are dropped first. Default
   * 10,000. With `inspect`, the timeline of the page and of `events` stores the same number of
   * entries, but at least 10,000 and at most 100,000.
   */
  readonly journalLimit?: number | undefined;
  /**
   * What goes wrong from the start, and again after `reset`: see `sandbox.troubles.add`. Default:
   * nothing.
   *
   * @example
   * const { client } = createTestClient({ troubles: [{ does: { delayMs: [5, 20] } }] });
   * await client.users.get(userId); // takes 5 to 20 ms
   */
  readonly troubles?: readonly TroubleOptions[] | undefined;
  /**
   * The settings at the start, and after `reset`: see `sandbox.settings.update`.
   *
   * @example
   * const { sandbox } = createTestClient({ settings: { quota: { requests: 100, perMs: 60_000 } } });
   * console.log(sandbox.settings.get().quota?.requests); // 100
   */
  readonly settings?: SettingsInput | undefined;
  /**
   * The only one-time password that the service accepts, 1 to 64 printable ASCII characters. The
   * service answers 401 to any other. Default: any is accepted, or the one that `otp.set` has set
   * in the `snapshot`. The service accepts `fixtures.otp` until you call `otp.set`.
   */
  readonly otp?: string | undefined;
  /**
   * If `true`, the service answers 403 to every operation on a user's accounts while the user's
   * `status.state` is not `ok`. Default `false`, so the state has no effect.
   */
  readonly enforceUserStatus?: boolean | undefined;
  /**
   * Scopes of the first API key (`credentials`), at least one. The service answers 403 to any other
   * operation. With a `snapshot`, they replace the scopes of that API key. Default: all.
   */
  readonly scopes?: readonly ApiKeyScope[] | undefined;
  /**
   * Who shares idempotency keys. `partner` (default): all API keys. `apiKey`: each API key has its
   * own, so a write that is retried with another API key takes effect twice. Idempotency keys that
   * a `snapshot` stores by the other setting are not replayed.
   */
  readonly idempotencyKeys?: IdempotencyScope | undefined;
  /**
   * Waits between the attempts to deliver a webhook, in ms of the sandbox's clock, each 0 to
   * 2,147,483,647. After the last attempt the delivery is `failed`, and the sandbox stops retrying.
   * With an empty list, the sandbox makes only one attempt. Default: 1 s, 2 s, 4 s … 128 s, because
   * the service (by an older edition of its reference) gives up after 5 minutes.
   *
   * @example
   * const impatient = createSandbox({ webhookBackoff: [] });
   * impatient.webhooks.register({ url: impatient.inbox.url() });
   * impatient.inbox.answer({ status: 503 });
   * const [lost] = await impatient.webhooks.trigger('quote.executed'); // lost.status is failed
   */
  readonly webhookBackoff?: readonly number[] | undefined;
  /**
   * Users to add to those of the seed, in the state `ok`, each with one account. If a user of the
   * snapshot has the same `external_reference`, it does not change. Default: none.
   *
   * @example
   * const users = [{ external_reference: 'ada', balances: { USD: '100' } }];
   * const { client } = createTestClient({ users });
   * const ada = await client.users.createHeadless({ external_reference: 'ada' });
   */
  readonly users?: readonly SandboxUserInput[] | undefined;
  /**
   * If `true`, the sandbox stores the data for `GET /_sandbox/events` and the page at `/_sandbox/`:
   * bodies of requests and responses, state changes, postings and timers. It costs time and memory.
   * Default `false`; for the command `true`.
   */
  readonly inspect?: boolean | undefined;
  /**
   * If `true`, a 401 contains its reason and the probable mistake in `causes`, and the 409 for a
   * reused idempotency key contains the difference. By default (`false`), only the journal contains
   * them: the mistake as `likely`, and the difference as `conflict`.
   */
  readonly explain?: boolean | undefined;
  /**
   * Continues from a result of `snapshot()`, even one of another process or one read from JSON.
   * Credentials, nonces, ids, idempotency keys and page tokens stay valid. The clock continues from
   * the same time; if both run with the machine's clock, the time in between has passed. Invalid
   * data throws a `TypeError` that names the wrong member.
   *
   * @example
   * const text = JSON.stringify(sandbox.snapshot()); // for a file
   * const copy = createSandbox({ snapshot: JSON.parse(text) });
   * console.log(copy.accounts.books);
   */
  readonly snapshot?: SandboxSnapshot | undefined;
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

const callback = z.optional(z.custom<never>((value) => typeof value === 'function', { error: 'must be a function' }));

const sandboxOptions = z.strictObject({
  seed: z.optional(z.int()),
  realTime: z.optional(z.boolean()),
  journalLimit: z.optional(count),
  troubles: z.optional(z.array(troubleOptions)),
  settings: z.optional(settingsInput),
  otp: z.optional(otpText),
  enforceUserStatus: z.optional(z.boolean()),
  scopes: z.optional(scopeList),
  idempotencyKeys: z.optional(z.enum(['partner', 'apiKey'])),
  webhookBackoff: z.optional(z.array(wholeMs)),
  users: z.optional(ownUsers),
  inspect: z.optional(z.boolean()),
  explain: z.optional(z.boolean()),
  snapshot: z.optional(z.custom<SandboxSnapshot>()),
  onRequest: callback,
  deliver: callback,
  onDelivery: callback,
  onControl: callback,
}) satisfies z.core.$ZodType<SandboxOptions>;

/** Reads the options. Throws a `TypeError` that names what is wrong. */
export const readSandboxOptions = (options: SandboxOptions): SandboxOptions =>
  checked('createSandbox', sandboxOptions, options, 'options');
