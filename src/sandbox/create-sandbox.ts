import type { PlatformRequest, PlatformResponse } from '../util/platform.js';
import { accountControls } from './controls/accounts.js';
import { clockControls } from './controls/clock.js';
import { faultControls } from './controls/faults.js';
import { keyControls } from './controls/keys.js';
import { conversionControls, conversionRuleControls, depositControls } from './controls/money/inbound.js';
import { transferControls } from './controls/money/transfers.js';
import { onchainQuoteControls } from './controls/onchain-quotes.js';
import { priceControls } from './controls/prices.js';
import { quoteControls } from './controls/quotes.js';
import { userControls } from './controls/users.js';
import { walletControls } from './controls/wallets.js';
import { webhookControls } from './controls/webhooks.js';
import { withdrawalControls } from './controls/withdrawals.js';
import type { FaultOptions } from './faults/fault-options.js';
import { Hook } from './hook.js';
import { type ControlAnswer, type ControlRequest, control } from './http/control-plane.js';
import { FetchHandler } from './http/fetch.js';
import { HttpServer } from './http/server.js';
import {
  type ControlCall,
  type CredentialOptions,
  checkedListen,
  type ListenOptions,
  readCredentialOptions,
  readSandboxOptions,
  type SandboxOptions,
} from './options.js';
import type { SandboxCredentials } from './request/authenticate.js';
import type { JournalEntry } from './request/journal.js';
import type { Sandbox } from './sandbox.js';
import type { SandboxFixtures } from './seed/fixtures.js';
import { Service } from './service.js';
import { type InPieces, piecesOf, SNAPSHOT_PIECES } from './snapshot/pieces.js';
import type { SandboxSnapshot } from './snapshot/snapshot.js';

/**
 * Makes a sandbox: a service in memory that answers the specified operations under all rules of the
 * API, for examples and tests.
 *
 * @throws TypeError for an unknown or wrong option.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new LocalSandbox(options);
}

class LocalSandbox implements Sandbox, InPieces {
  readonly credentials: SandboxCredentials;
  readonly fixtures: SandboxFixtures;
  readonly keys: Sandbox['keys'];
  readonly clock: Sandbox['clock'];
  readonly faults: Sandbox['faults'];
  readonly webhooks: Sandbox['webhooks'];
  readonly accounts: Sandbox['accounts'];
  readonly users: Sandbox['users'];
  readonly quotes: Sandbox['quotes'];
  readonly onchainQuotes: Sandbox['onchainQuotes'];
  readonly prices: Sandbox['prices'];
  readonly wallets: Sandbox['wallets'];
  readonly withdrawals: Sandbox['withdrawals'];
  readonly deposits: Sandbox['deposits'];
  readonly conversions: Sandbox['conversions'];
  readonly conversionRules: Sandbox['conversionRules'];
  readonly transfers: Sandbox['transfers'];
  readonly #service: Service;
  readonly #onControl: Hook<[ControlCall]>;
  readonly #fetchHandler: FetchHandler;
  readonly #httpServer: HttpServer;
  #host = '';
  #listening: Promise<number> | undefined;
  #closed: Promise<void> | undefined;

  constructor(given: SandboxOptions) {
    const options = readSandboxOptions(given);
    const service = new Service(options);
    this.#service = service;
    this.#fetchHandler = new FetchHandler(service.requests);
    this.#httpServer = new HttpServer(service.requests, (request) => this.#control(request));
    this.#onControl = new Hook('onControl', options.onControl);
    this.credentials = service.credentials;
    this.fixtures = service.fixtures;
    this.keys = keyControls(service.authenticator);
    this.clock = clockControls(service.state);
    this.faults = faultControls(service.faults);
    this.webhooks = webhookControls(service.state);
    this.accounts = accountControls(service.state);
    this.users = userControls(service.state);
    this.quotes = quoteControls(service.state);
    this.onchainQuotes = onchainQuoteControls(service.state);
    this.prices = priceControls(service.state);
    this.wallets = walletControls(service.state);
    this.withdrawals = withdrawalControls(service.state);
    this.deposits = depositControls(service.state);
    this.conversions = conversionControls(service.state);
    this.conversionRules = conversionRuleControls(service.state);
    this.transfers = transferControls(service.state);
  }

  get journal(): readonly JournalEntry[] {
    return this.#service.journal.entries;
  }

  issueCredentials(options: CredentialOptions = {}): SandboxCredentials {
    return this.#service.authenticator.issue(readCredentialOptions(options).scopes);
  }

  fail(options: FaultOptions): () => void {
    const { faults } = this.#service;
    const { id } = faults.add('fail', options);
    return () => {
      faults.remove(id);
    };
  }

  advance(ms: number): void {
    this.clock.advance(ms);
  }

  snapshot(): SandboxSnapshot {
    // A copy: later changes of the sandbox must not change it.
    return JSON.parse(JSON.stringify(this.#service.snapshot()));
  }

  [SNAPSHOT_PIECES](more: object): Iterable<string> {
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
      // The caller may try another port.
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
    if (answer.call !== undefined) this.#onControl.emit(answer.call);
    return answer;
  }
}
