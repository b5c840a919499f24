import type { Transport } from '../transport/transport.js';
import type { PlatformRequest, PlatformResponse } from '../util/platform.js';
import { AFTER_RESET, type Resettable } from './after-reset.js';
import { Service } from './assembly.js';
import { Hook } from './core/basics/hook.js';
import type { SandboxCredentials } from './core/keys/api-keys.js';
import type { World } from './core/world.js';
import { advance } from './drive/clock.js';
import { controlsOf, type SandboxControls } from './drive/controls.js';
import { KEEPING, type Kept, keepingOf, type StateKeeping } from './drive/snapshot/keeping.js';
import type { SandboxSnapshot } from './drive/snapshot/snapshot.js';
import type { SandboxFixtures } from './kinds/seed/fixtures.js';
import { readSandboxOptions, type SandboxOptions } from './options.js';
import type { ControlAnswer, ControlCall, ControlRequest } from './serve/control/control-messages.js';
import type { Served } from './serve/control/control-plane.js';
import { FetchHandler } from './serve/fetch.js';
import { InProcess } from './serve/in-process.js';
import { certifiedHosts } from './serve/sandbox/host-names.js';
import { checkedListen, type ListeningAddress, type ListenOptions } from './serve/sandbox/listen-options.js';
import type { DrivenSandbox, Sandbox } from './serve/sandbox/sandbox.js';
import type { SandboxWorlds } from './serve/sandbox/world-controls.js';
import type { WorldOptions } from './serve/sandbox/world-options.js';
import { HttpServer } from './serve/server.js';
import { ownCertificate } from './serve/tls/certificate.js';
import type { ServedService } from './serve/worlds/running-world.js';
import { NO_WORLDS, Worlds } from './serve/worlds/worlds.js';
import type { JournalEntry } from './service/journal/journal.js';
import type { FaultOptions } from './trouble/faults/fault-options.js';

/**
 * Makes a sandbox: a service in memory that answers the specified operations by all rules of the
 * API, for examples and tests.
 *
 * @throws TypeError for an unknown or wrong option.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const checked = readSandboxOptions(options);
  const service = new Service(checked);
  const own = servedBy(service, () => sandbox);
  const worlds = new Worlds(own, (world, given) => serviceIn(world, optionsIn(service, checked, given)));
  const sandbox: Sandbox = Object.assign(new LocalSandbox(service, checked, worlds), controlsOf(service));
  return sandbox;
}

/** Makes the service of a world. */
function serviceIn(world: World, options: SandboxOptions): ServedService {
  const service = renaming(() => new Service(options, world));
  const sandbox = Object.assign(new ServiceMembers(service, NO_WORLDS), controlsOf(service));
  return servedBy(service, () => sandbox);
}

/**
 * Returns the options of a world: those of the sandbox, except for its state and the given ones.
 */
function optionsIn({ seed }: Service, options: SandboxOptions, given: WorldOptions): SandboxOptions {
  const { onRequest: _, onDelivery: __, onControl: ___, snapshot: ____, ...others } = options;
  const own = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...others, seed: given.snapshot === undefined ? seed : undefined, ...Object.fromEntries(own) };
}

/** Replaces `createSandbox` with the name of the called method in an error about options. */
function renaming<T>(make: () => T): T {
  try {
    return make();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new TypeError(cause.message.replace(/^createSandbox: /, 'worlds.add: '), { cause });
  }
}

function servedBy(service: Service, sandbox: () => DrivenSandbox): ServedService {
  const { seed, requests, keys, state, webhooks } = service;
  return {
    ...{ seed, requests },
    controlled: {
      get sandbox() {
        return sandbox();
      },
      ...{ timeline: state.timeline, inbox: webhooks.inbox },
    },
    hasKey: (apiKey) => keys.find(apiKey) !== undefined,
    close: () => service.close(),
  };
}

/** Members of a driven service that are not in a group. */
class ServiceMembers implements Omit<DrivenSandbox, keyof SandboxControls>, Kept, Resettable {
  readonly worlds: SandboxWorlds;
  readonly #service: Service;

  constructor(service: Service, worlds: SandboxWorlds) {
    this.#service = service;
    this.worlds = worlds;
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

  fail(options: FaultOptions): () => void {
    const { faults } = this.#service.trouble;
    const { id } = faults.add('fail', options);
    return () => {
      faults.remove(id);
    };
  }

  advance(ms: number): void {
    advance(this.#service.state, ms);
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

  get [KEEPING](): StateKeeping {
    return keepingOf(this.#service);
  }

  [AFTER_RESET](setUp: () => void): void {
    this.#service.afterReset.push(setUp);
  }
}

/** A service that is served. */
class LocalSandbox extends ServiceMembers implements Omit<Sandbox, keyof SandboxControls> {
  readonly #service: Service;
  readonly #worlds: Worlds;
  readonly #onControl: Hook<[ControlCall]>;
  readonly #fetchHandler: FetchHandler;
  readonly #httpServer: HttpServer;
  readonly #inProcess: InProcess;
  #served: Served = { scheme: 'http', host: '', allowed: [], inspector: true };
  #listening: Promise<number> | undefined;
  #closed: Promise<void> | undefined;

  constructor(service: Service, { onControl }: SandboxOptions, worlds: Worlds) {
    super(service, worlds);
    this.#service = service;
    this.#worlds = worlds;
    this.#fetchHandler = new FetchHandler(worlds);
    this.#inProcess = new InProcess(worlds);
    this.#httpServer = new HttpServer(worlds, (request) => this.#answerControl(request));
    this.#onControl = new Hook('onControl', onControl);
  }

  async listen(options: ListenOptions = {}): Promise<ListeningAddress> {
    const { port, host, allowedHosts, tls, inspector } = checkedListen(options);
    if (this.#closed !== undefined) throw new Error('The sandbox is closed');
    if (this.#listening !== undefined) throw new Error('The sandbox listens already');
    const own = tls === true ? ownCertificate(certifiedHosts(host, allowedHosts)) : undefined;
    const identity = typeof tls === 'object' ? tls : own;
    const scheme = identity === undefined ? 'http' : 'https';
    this.#served = { scheme, host: host.toLowerCase(), allowed: allowedHosts, inspector };
    this.#listening = this.#httpServer.listen(port, host, identity);
    try {
      const taken = await this.#listening;
      const url = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${taken}`;
      this.#worlds.listensAt(url);
      return { url, port: taken, ca: own?.ca };
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
    this.#worlds.close();
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
    const answer = await this.#worlds.control(request, this.#served);
    if (answer.call !== undefined) this.#onControl.emit(answer.call);
    return answer;
  }
}
