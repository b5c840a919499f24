import type { Transport } from '../transport/transport.js';
import type { PlatformRequest, PlatformResponse } from '../util/platform.js';
import { Service } from './assembly.js';
import { checked } from './core/basics/checked.js';
import { Hook } from './core/basics/hook.js';
import type { SandboxCredentials } from './core/keys/api-keys.js';
import { controlsOf, type SandboxControls } from './drive/controls.js';
import { KEEPING, type Kept, type KeptService } from './drive/snapshot/keeping.js';
import type { SandboxSnapshot } from './drive/snapshot/snapshot-schema.js';
import type { SandboxFixtures } from './kinds/seed/fixtures.js';
import { readSandboxOptions, type SandboxOptions } from './options.js';
import type { ControlAnswer, ControlCall, ControlRequest } from './serve/control/control-messages.js';
import { type Controlled, control, type Served } from './serve/control/control-plane.js';
import { FetchHandler } from './serve/fetch.js';
import { InProcess } from './serve/in-process.js';
import { type ListeningAddress, type ListenOptions, listenOptions } from './serve/sandbox/listen-options.js';
import type { Sandbox } from './serve/sandbox/sandbox.js';
import { HttpServer } from './serve/server.js';
import type { JournalEntry } from './service/journal/journal.js';
import { troubleOf } from './trouble/fail.js';
import { type FailOptions, failOptions } from './trouble/trouble.js';

/**
 * Creates a sandbox, for examples and tests: a service in memory that handles all operations by the
 * rules of the API.
 *
 * @throws TypeError for an unknown or wrong option.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const read = readSandboxOptions(options);
  const service = new Service(read);
  const { state, webhooks } = service;
  const controlled: Controlled = {
    get sandbox() {
      return sandbox;
    },
    timeline: state.timeline,
    inbox: webhooks.inbox,
  };
  const sandbox: Sandbox = Object.assign(new LocalSandbox(service, read, controlled), controlsOf(service));
  return sandbox;
}

/** The members of a sandbox that are not in a group. */
class LocalSandbox implements Omit<Sandbox, keyof SandboxControls>, Kept {
  readonly #service: Service;
  readonly #controlled: Controlled;
  readonly #onControl: Hook<[ControlCall]>;
  readonly #fetchHandler: FetchHandler;
  readonly #httpServer: HttpServer;
  readonly #inProcess: InProcess;
  #served: Served = { scheme: 'http', host: '', allowed: [], inspector: true };
  #listening: Promise<number> | undefined;
  #closed: Promise<void> | undefined;

  constructor(service: Service, { onControl }: SandboxOptions, controlled: Controlled) {
    this.#service = service;
    this.#controlled = controlled;
    this.#fetchHandler = new FetchHandler(service.requests);
    this.#inProcess = new InProcess(service.requests);
    this.#httpServer = new HttpServer(service.requests, (request) => this.#answerControl(request));
    this.#onControl = new Hook('onControl', onControl);
  }

  get fixtures(): SandboxFixtures {
    return this.#service.fixtures;
  }

  get credentials(): SandboxCredentials {
    return this.#service.keys.first();
  }

  get journal(): readonly JournalEntry[] {
    return this.#service.journal.entries;
  }

  fail(options: FailOptions): () => void {
    const { troubles } = this.#service;
    const { id } = troubles.add('fail', troubleOf(checked('fail', failOptions, options, 'options')));
    return () => {
      troubles.remove(id);
    };
  }

  advance(ms: number): void {
    this.#controlled.sandbox.clock.advance(ms);
  }

  snapshot(): SandboxSnapshot {
    this.#service.keeper?.trySave();
    // A copy, so that later changes of the sandbox do not change it.
    return JSON.parse(JSON.stringify(this.#service.snapshot()));
  }

  reset(): void {
    this.#service.reset();
  }

  restore(snapshot: SandboxSnapshot): void {
    this.#service.restore(snapshot);
  }

  get [KEEPING](): KeptService {
    return this.#service;
  }

  async listen(options: ListenOptions = {}): Promise<ListeningAddress> {
    const { port, host, allowedHosts, tls, inspector } = checked('listen', listenOptions, options, 'options');
    if (this.#closed !== undefined) throw new Error('The sandbox is closed');
    if (this.#listening !== undefined) throw new Error('The sandbox listens already');
    const scheme = tls === undefined ? 'http' : 'https';
    this.#served = {
      scheme,
      host: host.toLowerCase(),
      allowed: allowedHosts.map((name) => name.toLowerCase()),
      inspector,
    };
    this.#listening = this.#httpServer.listen(port, host, tls);
    try {
      const taken = await this.#listening;
      const url = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${taken}`;
      this.#service.webhooks.inbox.listensAt(url);
      return { url, port: taken };
    } catch (error) {
      // The caller may try another port.
      this.#listening = undefined;
      throw error;
    }
  }

  fetch(request: PlatformRequest): Promise<PlatformResponse> {
    return this.#fetchHandler.fetch(request);
  }

  transport(): Transport {
    return this.#inProcess.transport();
  }

  close(): Promise<void> {
    this.#service.close();
    this.#fetchHandler.close();
    this.#inProcess.close();
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

  async #answerControl(request: ControlRequest): Promise<ControlAnswer> {
    const answer = await control(this.#controlled, request, this.#served);
    if (answer.call !== undefined) this.#onControl.emit(answer.call);
    return answer;
  }
}
