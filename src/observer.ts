import * as events from './events.js';
import { isFieldsFirst, type Logger, pinoLogger } from './logger.js';
import { extraHeaders } from './request/options.js';
import { once } from './schema/operation.js';
import { type Channel, channelOf } from './util/channels.js';
import { runSafely } from './util/run-safely.js';

/** A hook that is only told of an event of a call. */
type HookName = Exclude<keyof events.Hooks, 'onClient' | 'headers' | 'run'>;
export type HookEvents = { [Name in HookName]: Parameters<NonNullable<events.Hooks[Name]>>[0] };
type OfEachHook<T> = Readonly<Record<HookName, T>>;

/** Where an event goes besides its hook. */
interface Ways {
  /** Its diagnostics channel, after `partner-sdk:`. Absent for ids: they are for hooks alone. */
  readonly channel: string | undefined;
  /** Its log line, after `partner-sdk `. */
  readonly line: readonly [level: keyof Logger, message: string] | undefined;
}

const WAYS: OfEachHook<Ways> = {
  onStart: { channel: 'start', line: undefined },
  onRequest: { channel: 'request', line: ['debug', 'request'] },
  onResponse: { channel: 'response', line: ['debug', 'response'] },
  onAttemptEnd: { channel: 'attempt-end', line: undefined },
  onRetry: { channel: 'retry', line: ['warn', 'retries'] },
  onError: { channel: 'error', line: ['error', 'call failed'] },
  onApplied: { channel: undefined, line: undefined },
  onEnd: { channel: 'end', line: undefined },
};

const EVENT_HOOKS = Object.keys(WAYS) as HookName[];

export const HOOK_NAMES: readonly (keyof events.Hooks)[] = [...EVENT_HOOKS, 'onClient', 'headers', 'run'];

function ofEachHook<T>(make: (name: HookName) => T): OfEachHook<T> {
  return Object.fromEntries(EVENT_HOOKS.map((name) => [name, make(name)])) as OfEachHook<T>;
}

const channels = once(() =>
  ofEachHook((name): Channel | undefined => {
    const { channel } = WAYS[name];
    return channel === undefined ? undefined : channelOf(`partner-sdk:${channel}`);
  }),
);
const channelList = once(() => Object.values(channels()).filter((channel) => channel !== undefined));

/** Passes events to hooks, logger and diagnostics channels. Their failures do not reach a call. */
export class Observer {
  /** Copies that inherit nothing, with every hook bound to its object. */
  readonly #hooks: readonly events.OwnHooks[];
  /** The hooks that have each of these functions. */
  readonly #listeners: OfEachHook<readonly events.Hooks[]>;
  readonly #logger: Logger | undefined;
  /** The hooks that wrap the sending. */
  readonly #senders: readonly events.OwnHooks[];
  /** True when there is a hook `run`. */
  readonly wrapsCalls: boolean;

  constructor(hooks: readonly events.Hooks[] | undefined, logger: Logger | undefined) {
    this.#hooks = hooks ?? [];
    this.#listeners = ofEachHook((name) => this.#hooks.filter((one) => one[name] !== undefined));
    this.#senders = this.#hooks.filter((one) => one[events.SENDING] !== undefined);
    this.wrapsCalls = this.#hooks.some(({ run }) => run !== undefined);
    this.#logger = isFieldsFirst(logger) ? pinoLogger(logger) : logger;
  }

  get hasLogger(): boolean {
    return this.#logger !== undefined;
  }

  /** False when no hook, logger or subscriber is there: a call then does nothing for events. */
  get hasListeners(): boolean {
    return this.hasLogger || this.#hooks.some(isAwake) || channelList().some(isHeard);
  }

  /** False when no hook, logger or subscriber would see the event: then it need not be made. */
  hasListener(name: HookName): boolean {
    if (this.#listeners[name].length > 0 || channels()[name]?.hasSubscribers === true) return true;
    const { line } = WAYS[name];
    if (line === undefined) return false;
    try {
      return this.#logger?.[line[0]] !== undefined;
    } catch {
      return false;
    }
  }

  emit<Name extends HookName>(name: Name, event: HookEvents[Name]): void {
    for (const hooks of this.#listeners[name])
      runSafely(() => hooks[name]?.(event as never), `the hook ${name}`, hooks);
    const channel = channels()[name];
    if (channel?.hasSubscribers === true) channel.publish(event);
    const { line } = WAYS[name];
    if (line !== undefined) this.log(line[0], `partner-sdk ${line[1]}`, event);
  }

  log(level: keyof Logger, message: string, fields: object): void {
    const logger = this.#logger;
    if (logger === undefined) return;
    const write = () => logger[level]?.(message, fields);
    runSafely(write, `the logger's ${level}()`, logger, 'logger');
  }

  /** Tells the hooks about the client that they belong to. */
  clientMade(event: events.ClientEvent): void {
    for (const hooks of this.#hooks) runSafely(() => hooks.onClient?.(event), 'the hook onClient', hooks);
  }

  /** The headers of the hooks `headers`; undefined when there are none. A later hook wins. */
  headers(eventOf: () => events.AttemptEvent): Record<string, string> | undefined {
    let all: Record<string, string> | undefined;
    for (const hooks of this.#hooks) {
      if (hooks.headers === undefined) continue;
      const add = () => {
        const given = hooks.headers?.(eventOf());
        if (given !== undefined) all = { ...all, ...extraHeaders(given) };
      };
      runSafely(add, 'the hook headers', hooks);
    }
    return all;
  }

  /** Calls `send` inside the hooks that wrap the sending: exactly once, even if one fails. */
  send<T>(callId: string, send: () => T): T {
    if (this.#senders.length === 0) return send();
    let begun = false;
    let result: T | undefined;
    const inside = (place: number): void => {
      const hooks = this.#senders[place];
      if (hooks !== undefined) {
        runSafely(() => hooks[events.SENDING]?.(callId, () => inside(place + 1)), 'the hook sending', hooks);
      }
      if (begun) return;
      begun = true;
      result = send();
    };
    inside(0);
    return result as T;
  }

  /** Calls `start` inside the hooks `run`, the first outermost: exactly once, even if one fails. */
  wrap<T>(event: events.RunEvent, start: () => Promise<T>): Promise<T> {
    const inside = (place: number): Promise<T> => {
      const hooks = this.#hooks[place];
      return hooks === undefined ? start() : wrapOnce(hooks, event, () => inside(place + 1));
    };
    return inside(0);
  }
}

function wrapOnce<T>(hooks: events.Hooks, event: events.RunEvent, start: () => Promise<T>): Promise<T> {
  if (hooks.run === undefined) return start();
  let running: Promise<T> | undefined;
  let tellEnd = (): void => {};
  const end = new Promise<void>((resolve) => {
    tellEnd = resolve;
  });
  const begin = (): Promise<T> => {
    // Not a second handler of the same promise: V8 would find the caller of neither.
    running ??= start().then(
      (value) => {
        tellEnd();
        return value;
      },
      (error: unknown) => {
        tellEnd();
        throw error;
      },
    );
    return running;
  };
  const next = (): Promise<void> => {
    begin();
    return end;
  };
  const callHook = () => {
    const returned = hooks.run?.(event, next);
    if (running === undefined) throw new Error('it returned before it called next()');
    return returned;
  };
  runSafely(callHook, 'the hook run', hooks);
  return begin();
}

const isAwake = (hooks: events.OwnHooks): boolean => hooks[events.IS_IDLE]?.() !== true;
const isHeard = (channel: Channel): boolean => channel.hasSubscribers;
