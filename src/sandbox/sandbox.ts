import type { OnDemandConversion } from '../resources/accounts/on-demand-conversions.js';
import type { WhitelistedWallet } from '../resources/accounts/wallets.js';
import type { BankLink } from '../resources/funds/bank-links.js';
import type { DepositLimit } from '../resources/funds/deposit-limits.js';
import type { User } from '../resources/users/users.js';
import type { WebhookSubscription } from '../resources/webhooks.js';
import type { Wire } from '../schema/types.js';
import type { PlatformRequest, PlatformResponse } from '../util/platform.js';
import { Controls } from './controls.js';
import { Hook } from './hook.js';
import { type ControlAnswer, type ControlCall, type ControlRequest, control } from './http/control-plane.js';
import { FetchHandler } from './http/fetch.js';
import { HttpServer } from './http/server.js';
import type { ConversionInput } from './lifecycles/conversions.js';
import type { DepositInput } from './lifecycles/deposits.js';
import { checkedListen, type ListenOptions, readSandboxOptions, type SandboxOptions } from './options.js';
import type { SandboxCredentials } from './request/authenticate.js';
import type { FaultOptions } from './request/faults.js';
import type { JournalEntry } from './request/journal.js';
import type { SandboxFixtures } from './seed/fixtures.js';
import { Service, type ServiceOptions } from './service.js';
import { type InPieces, piecesOf, SNAPSHOT_PIECES } from './snapshot/pieces.js';
import { readSnapshot, type SandboxSnapshot } from './snapshot/snapshot.js';
import type { Delivery } from './webhooks/delivery.js';
import type { RegisteredWebhook, WebhookChange, WebhookInput } from './webhooks/subscriptions.js';

/** The service of the API on this machine: stateful, in memory, strict. */
export interface Sandbox {
  /** The options of a client: `new PartnerClient({ baseUrl: url, ...sandbox.credentials })`. */
  readonly credentials: SandboxCredentials;
  /** What exists in a fresh sandbox. */
  readonly fixtures: SandboxFixtures;
  /** Every request it has judged, oldest first; the array is live. */
  readonly journal: readonly JournalEntry[];
  /**
   * The wallets that were whitelisted, oldest first, with their present status: the API has no operation that reads them. An account keeps
   * its newest 10,000.
   */
  readonly wallets: readonly WhitelistedWallet[];
  /** A further API key of the same partner, with its own nonces. */
  issueCredentials(): SandboxCredentials;
  /** Makes requests go wrong. Returns the function that takes the fault back. Throws a `TypeError` for a wrong option. */
  fail(options: FaultOptions): () => void;
  /**
   * Makes each request go wrong with this probability, above 0 to 1, by the seed. One of these strikes, each as likely as the others:
   *
   * - before the effect: 429 and 503, each with `Retry-After: 1` and without; `reset`; `timeout`; `html`;
   * - after it: `reset`; `timeout`; 503; 504; `html`; `truncate`; `garbage`; `content_type`; `slow` with 1,000 bytes per second.
   *
   * Requests that are refused anyway are struck by the former alone. Faults asked for by `fail` come first. Returns the function that takes
   * it back.
   *
   * @throws TypeError for another probability.
   */
  chaos(probability: number): () => void;
  /** Takes back all that `fail` and `chaos` asked for. Answers on their way are not changed. */
  clearFaults(): void;
  /**
   * Moves the clock on by so many milliseconds, 0 or more: quotes expire and execute, wallets are screened, conversions move on, webhook
   * deliveries go out (`idle` waits for their answers).
   *
   * @throws TypeError for another number, and when it would lead beyond the year 9998.
   */
  advance(ms: number): void;
  /** The sandbox's clock: milliseconds since the epoch. It never goes back, also when the machine's clock does. */
  now(): number;
  /** Makes the executor reject a quote that is offered or executing: once executed, it ends in `failed`. Throws when it has ended. */
  failQuote(quoteId: string): void;
  /** Screening will reject wallets with this address, as it does `fixtures.rejectedWalletAddress`. */
  rejectAddress(address: string): void;
  /**
   * Starts an on-demand conversion; the service does not document how partners create one. It is `converting`, after 30
   * s, or three days from a linked bank, `settling`, 90 s later `completed`; or, with `fails`, `failed` in place of
   * `settling`. The balance it comes from is laid claim to at once, pays when it settles and is free again when it
   * fails; the one it goes to receives when it completes.
   *
   * @throws TypeError for wrong input: kinds of ends that cannot be converted, an amount from which the fees leave nothing. Error for an
   * unknown account, an unapproved wallet, a bank source without a linked account that is eligible, an amount above what is available.
   */
  convert(accountId: string, input: ConversionInput): Wire<OnDemandConversion>;
  /**
   * Credits money from outside at once; what is left of the deposit limits of its method shrinks by it for the length of their period.
   *
   * @throws TypeError for wrong input and an asset or method that takes no deposits, Error for an unknown account and beyond the limits.
   */
  deposit(accountId: string, input: DepositInput): Wire<DepositLimit>;
  /** Links a bank to an account, as the hosted widget does. */
  linkBank(accountId: string): BankLink;
  /** Unlinks a bank for good: it is no longer returned. */
  unlinkBank(bankLinkId: string): void;
  /**
   * Changes what `users.get` shows as status: `state` is any text, an element of `required_actions` any JSON. With `enforceUserStatus` the
   * user's accounts are closed (403) while `state` is not `ok`.
   */
  setUserStatus(userId: string, status: Partial<User['status']>): User;
  /**
   * What the other side of the accounts holds, by `type:symbol`, since the sandbox began: `exchange` (below 0 where it gave more),
   * `fees`, `outside` (deposits and payouts). With the accounts' totals every sum stays what it was.
   */
  readonly books: Readonly<Record<'exchange' | 'fees' | 'outside', Readonly<Record<string, string>>>>;
  /**
   * Registers a webhook: each event of its kinds is delivered to it at least once, signed with the machine's time. An
   * answer 2xx within 30 s is success; anything else is tried again 5 s, 25 s, 125 s … (six times) later, by the sandbox's clock.
   * Its `signing_secret` is shown here once. Webhooks of the seed receive nothing.
   *
   * @throws TypeError for wrong input.
   */
  registerWebhook(input: WebhookInput): RegisteredWebhook;
  /**
   * Changes a webhook; what is left out stays. Deliveries that are pending go to the new `url`; with `disabled: true` they end as
   * `failed`.
   *
   * @throws TypeError for wrong input, Error for an unknown id.
   */
  updateWebhook(webhookId: string, change: WebhookChange): WebhookSubscription;
  /**
   * Gives a new signing secret, shown once. For `overlap` milliseconds (0 or more, default 24 h) of the sandbox's clock deliveries carry
   * the signatures of the secrets before, too, the newest eight at most, newest first. The scheme `body` has room for one signature,
   * that of the newest.
   *
   * @throws TypeError for wrong input, Error for an unknown id.
   */
  rotateWebhookSecret(webhookId: string, options?: { readonly overlap?: number | undefined }): RegisteredWebhook;
  /** Removes a webhook. Its pending deliveries end as `failed`. Throws for an unknown id. */
  removeWebhook(webhookId: string): void;
  /** All deliveries that are pending, and the 10,000 that ended last, in the order of their events, as they are now. */
  readonly deliveries: readonly Delivery[];
  /**
   * Delivers once more with the same event id, also what was delivered already; resolves when the attempt is over, whatever came of it.
   * Attempts that are planned stay so until one succeeds. Rejects for an unknown id, a removed or disabled webhook, a closed sandbox.
   */
  redeliver(deliveryId: string): Promise<Delivery>;
  /** Begins the deliveries that are due, and resolves when none is under way. */
  idle(): Promise<void>;
  /**
   * The whole state, without faults and journal: plain JSON data, for `createSandbox({ snapshot })`. It holds the credentials and the
   * webhooks' signing secrets.
   */
  snapshot(): SandboxSnapshot;
  /**
   * Serves HTTP. Rejects when the port is taken, when it listens already, and when it is closed. A program in any language drives the
   * sandbox there, too: `GET /_sandbox/<member>` reads what can be read here, `POST /_sandbox/<method>` with a JSON array of arguments
   * calls, unsigned: whoever reaches the port controls the sandbox, but for pages of other origins in a browser.
   */
  listen(options?: ListenOptions): Promise<{ readonly url: string; readonly port: number }>;
  /**
   * The same service as a function like `fetch`, for instance behind MSW's `http.all`. Only path and query of the URL are read. A lost
   * connection is a `Response.error()`, which MSW makes a failed fetch of. Rejects with the request's reason when that is aborted.
   */
  fetch(request: PlatformRequest): Promise<PlatformResponse>;
  /** Ends everything, also requests that wait for an answer. May be called again. */
  close(): Promise<void>;
  /** `close`, at the end of a block: `await using sandbox = createSandbox()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Makes a sandbox: a service in memory that answers the specified operations under all rules of the API, for examples and tests.
 *
 * @throws TypeError for an unknown or wrong option.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new LocalSandbox(options);
}

class LocalSandbox implements Sandbox, InPieces {
  readonly credentials: SandboxCredentials;
  readonly fixtures: SandboxFixtures;
  readonly #service: Service;
  readonly #controls: Controls;
  readonly #onControl: Hook<[ControlCall]>;
  readonly #fetchHandler: FetchHandler;
  readonly #httpServer: HttpServer;
  #host = '';
  #listening: Promise<number> | undefined;
  #closed: Promise<void> | undefined;

  constructor(given: SandboxOptions) {
    const options = readSandboxOptions(given);
    this.#service = new Service(serviceOptions(options));
    this.#controls = new Controls(this.#service.state);
    this.#fetchHandler = new FetchHandler(this.#service);
    this.#httpServer = new HttpServer(this.#service, (request) => this.#control(request));
    this.#onControl = new Hook('onControl', options.onControl);
    this.credentials = this.#service.authenticator.first();
    this.fixtures = this.#service.fixtures;
  }

  get journal(): readonly JournalEntry[] {
    return this.#service.journal.entries;
  }

  get wallets(): readonly WhitelistedWallet[] {
    this.#service.clock.catchUp();
    return [...this.#service.state.accounts.values()].flatMap(({ wallets }) =>
      Array.from(wallets.values(), ({ wallet }) => ({ ...wallet })),
    );
  }

  issueCredentials(): SandboxCredentials {
    return this.#service.authenticator.issue();
  }

  fail(options: FaultOptions): () => void {
    return this.#service.faults.add(options);
  }

  chaos(probability: number): () => void {
    return this.#service.faults.chaos(probability);
  }

  clearFaults(): void {
    this.#service.faults.clear();
  }

  advance(ms: number): void {
    this.#service.clock.advance(ms);
  }

  now(): number {
    return this.#service.clock.now();
  }

  failQuote(quoteId: string): void {
    this.#controls.failQuote(quoteId);
  }

  rejectAddress(address: string): void {
    this.#controls.rejectAddress(address);
  }

  convert(accountId: string, input: ConversionInput): Wire<OnDemandConversion> {
    return this.#controls.convert(accountId, input);
  }

  deposit(accountId: string, input: DepositInput): Wire<DepositLimit> {
    return this.#controls.deposit(accountId, input);
  }

  linkBank(accountId: string): BankLink {
    return this.#controls.linkBank(accountId);
  }

  unlinkBank(bankLinkId: string): void {
    this.#controls.unlinkBank(bankLinkId);
  }

  setUserStatus(userId: string, status: Partial<User['status']>): User {
    return this.#controls.setUserStatus(userId, status);
  }

  get books(): Sandbox['books'] {
    this.#service.clock.catchUp();
    const { exchange, fees, outside } = this.#service.state.books;
    return { exchange: exchange.toJSON(), fees: fees.toJSON(), outside: outside.toJSON() };
  }

  registerWebhook(input: WebhookInput): RegisteredWebhook {
    return this.#controls.registerWebhook(input);
  }

  updateWebhook(webhookId: string, change: WebhookChange): WebhookSubscription {
    return this.#controls.updateWebhook(webhookId, change);
  }

  rotateWebhookSecret(webhookId: string, options?: { readonly overlap?: number | undefined }): RegisteredWebhook {
    return this.#controls.rotateWebhookSecret(webhookId, options);
  }

  removeWebhook(webhookId: string): void {
    this.#controls.removeWebhook(webhookId);
  }

  get deliveries(): readonly Delivery[] {
    return this.#service.state.webhooks.deliveries;
  }

  redeliver(deliveryId: string): Promise<Delivery> {
    return this.#service.state.webhooks.redeliver(deliveryId);
  }

  idle(): Promise<void> {
    this.#service.clock.catchUp();
    return this.#service.state.webhooks.idle();
  }

  snapshot(): SandboxSnapshot {
    this.#service.clock.catchUp();
    // A copy: what the sandbox does later must not change it.
    return JSON.parse(JSON.stringify(this.#service.snapshot()));
  }

  [SNAPSHOT_PIECES](more: object): Iterable<string> {
    this.#service.clock.catchUp();
    return piecesOf({ ...this.#service.snapshot(), ...more });
  }

  async listen(options: ListenOptions = {}): Promise<{ url: string; port: number }> {
    const { port, host } = checkedListen(options);
    if (this.#closed !== undefined) throw new Error('The sandbox is closed');
    if (this.#listening !== undefined) throw new Error('The sandbox listens already');
    this.#host = host.toLowerCase();
    this.#listening = this.#httpServer.listen(port, host);
    try {
      const taken = await this.#listening;
      return { url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`, port: taken };
    } catch (error) {
      // So that another port can be tried.
      this.#listening = undefined;
      throw error;
    }
  }

  fetch(request: PlatformRequest): Promise<PlatformResponse> {
    return this.#fetchHandler.fetch(request);
  }

  close(): Promise<void> {
    this.#service.close();
    this.#fetchHandler.close();
    // A server that is about to listen cannot be closed yet.
    this.#closed ??= Promise.resolve(this.#listening).then(
      () => this.#httpServer.close(),
      () => {},
    );
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #control(request: ControlRequest): Promise<ControlAnswer> {
    const answer = await control(this, request, this.#host);
    if (answer.call !== undefined) this.#onControl.tell(answer.call);
    return answer;
  }
}

function serviceOptions(options: SandboxOptions): ServiceOptions {
  const snapshot = options.snapshot === undefined ? undefined : readSnapshot(options.snapshot);
  const { seed = snapshot?.seed ?? 1, realTime = false, journalLimit = 10_000, latency = 0 } = options;
  if (snapshot !== undefined && snapshot.seed !== seed) {
    throw new TypeError(`createSandbox: the snapshot was made with seed ${snapshot.seed}: leave seed out`);
  }
  const { otp, enforceUserStatus = false, onRequest, deliver, onDelivery } = options;
  return { seed, realTime, journalLimit, latency, otp, enforceUserStatus, onRequest, snapshot, deliver, onDelivery };
}
