import { excerpt } from '../../core/basics/excerpt.js';
import { checked, text } from '../../core/input.js';
import type { Received, ReceivedBody, RequestHead, RequestReceiver } from '../../core/request/messages.js';
import { type World, worldId } from '../../core/world.js';
import {
  CONTROL_PREFIX,
  Conflict,
  type ControlAnswer,
  type ControlRequest,
  refused,
} from '../control/control-messages.js';
import { control, type Served } from '../control/control-plane.js';
import { hostProblem } from '../sandbox/host-names.js';
import type { SandboxWorld, SandboxWorlds } from '../sandbox/world-controls.js';
import { readWorldOptions, type WorldOptions } from '../sandbox/world-options.js';
import { RunningWorld, type ServedService } from './running-world.js';
import { controlTargetOf, isLink, pathOfWorld, targetInWorld } from './world-paths.js';

/** Maximum number of worlds at one time; more are refused. */
const MAX_WORLDS = 100;

/** Origin of a sandbox that does not listen. */
const UNREACHABLE_ORIGIN = 'http://localhost';

/**
 * Makes the service of a world.
 *
 * @throws TypeError for options that do not fit together.
 */
export type MakeWorld = (world: World, options: WorldOptions) => ServedService;

/** The services of one process: the sandbox and its worlds. */
export class Worlds implements RequestReceiver, SandboxWorlds {
  readonly #own: ServedService;
  readonly #make: MakeWorld;
  /** Worlds by id, oldest first. */
  readonly #worlds = new Map<string, RunningWorld>();
  #origin: string | undefined;
  #count = 0;

  /** @param own Service for all requests that are for none of the worlds. */
  constructor(own: ServedService, make: MakeWorld) {
    this.#own = own;
    this.#make = make;
  }

  add(options: WorldOptions = {}, origin?: string): SandboxWorld {
    const given = readWorldOptions('worlds.add', options);
    if (this.#worlds.size >= MAX_WORLDS) {
      throw new Conflict(`worlds.add: there are ${MAX_WORLDS} worlds: end one with worlds.remove`);
    }
    const id = worldId(this.#count + 1);
    const service = this.#make({ id, path: pathOfWorld(id) }, given);
    this.#count += 1;
    if (this.#origin !== undefined) service.controlled.inbox.listensAt(this.#origin);
    const world = new RunningWorld({ id, path: pathOfWorld(id) }, service, () => this.remove(id));
    this.#worlds.set(id, world);
    return this.#shown(world, origin);
  }

  list(origin?: string): SandboxWorld[] {
    return Array.from(this.#worlds.values(), (world) => this.#shown(world, origin));
  }

  remove(id: string): void {
    const world = this.#worlds.get(checked('worlds.remove', text, id));
    if (world === undefined) throw new Error(`worlds.remove: there is no world ${excerpt(id)}`);
    this.#worlds.delete(id);
    world.end();
  }

  /** `url`: the URL on which the sandbox listens. */
  listensAt(url: string): void {
    this.#origin = url;
    this.#own.controlled.inbox.listensAt(url);
    for (const { service } of this.#worlds.values()) service.controlled.inbox.listensAt(url);
  }

  /** True for a link into a world. */
  hasLink(method: string, target: string): boolean {
    const found = targetInWorld(target);
    return found !== undefined && this.#worlds.has(found.id) && isLink(method, found.inner);
  }

  receive(head: RequestHead, body: Promise<ReceivedBody>): Promise<Received> {
    if (this.#worlds.size === 0) return this.#own.requests.receive(head, body);
    const found = targetInWorld(head.target);
    const linked = found && this.#worlds.get(found.id);
    if (linked !== undefined) return linked.receive({ ...head, target: found?.inner ?? '' }, body);
    return (this.#withKey(head.header('api-key')) ?? this.#own.requests).receive(head, body);
  }

  /** Answers with the control plane of a world, or with that of the sandbox. */
  async control(request: ControlRequest, served: Served): Promise<ControlAnswer> {
    const found = targetInWorld(request.target);
    if (found === undefined) return control(this.#own.controlled, request, served);
    const world = this.#worlds.get(found.id);
    if (world === undefined) {
      const problem = hostProblem(request.header, served);
      if (problem !== undefined) return refused(403, problem);
      return refused(404, `there is no world ${excerpt(found.id)}, or it has ended; GET worlds lists what there is`);
    }
    const inWorld = { ...request, target: controlTargetOf(request.target) };
    return world.control((controlled) => control(controlled, inWorld, served));
  }

  /** Ends all worlds. */
  close(): void {
    for (const id of [...this.#worlds.keys()]) this.remove(id);
  }

  /** The sandbox's own keys are checked first, because they are used most. */
  #withKey(apiKey: string | undefined): RunningWorld | undefined {
    if (apiKey === undefined || this.#own.hasKey(apiKey)) return undefined;
    for (const world of this.#worlds.values()) if (world.service.hasKey(apiKey)) return world;
    return undefined;
  }

  #shown({ world, service, createdAt, lastUse }: RunningWorld, origin: string | undefined): SandboxWorld {
    const { credentials, fixtures } = service.controlled.sandbox;
    const url = (origin ?? this.#origin ?? UNREACHABLE_ORIGIN) + world.path;
    return { id: world.id, seed: service.seed, credentials, fixtures, url, createdAt, lastUse };
  }
}

const refuse = (): never => {
  throw new Error(`a world has no worlds: ${CONTROL_PREFIX}worlds has those of the sandbox`);
};

/** The worlds of a world, which has none. */
export const NO_WORLDS: SandboxWorlds = { add: refuse, list: () => [], remove: refuse };
