import {
  type AppliedEvent,
  type AttemptEndEvent,
  type AttemptEvent,
  type ClientEvent,
  type EndEvent,
  type ErrorEvent,
  type Hooks,
  IS_IDLE,
  type OwnHooks,
  type RequestEvent,
  type ResponseEvent,
  type RetryEvent,
  type RunEvent,
  type StartEvent,
} from './events.js';
import { isFieldsFirst, type Logger, pinoLogger } from './logger.js';
import { extraHeaders } from './request/options.js';
import { once } from './schema/operation.js';
import { type Channel, channelOf } from './util/channels.js';
import { readMember } from './util/members.js';
import { runSafely } from './util/run-safely.js';

/** The event that each hook is called with. */
interface HookEvents {
  onStart: StartEvent;
  onRequest: RequestEvent;
  onResponse: ResponseEvent;
  onAttemptEnd: AttemptEndEvent;
  onRetry: RetryEvent;
  onError: ErrorEvent;
  onApplied: AppliedEvent;
  onEnd: EndEvent;
}

/** The log line of each event that has one. */
const LOG_LINES: Readonly<Record<keyof HookEvents, readonly [level: keyof Logger, message: string] | undefined>> = {
  onStart: undefined,
  onRequest: ['debug', 'partner-sdk request'],
  onResponse: ['debug', 'partner-sdk response'],
  onAttemptEnd: undefined,
  onRetry: ['warn', 'partner-sdk retries'],
  onError: ['error', 'partner-sdk call failed'],
  onApplied: undefined,
  onEnd: undefined,
};

/** A hook that is told of an event. */
interface Listener {
  readonly hear: (event: never) => unknown;
  /** Its name in the warning that it failed, which is given once for the hooks it belongs to. */
  readonly what: string;
  readonly hooks: Hooks;
}

/** Looked for once: with each event, the search would cost 0.1 µs. */
function listenersIn(all: readonly Hooks[]): Readonly<Record<keyof HookEvents, readonly Listener[]>> {
  const hearing = (name: keyof HookEvents): readonly Listener[] =>
    all.flatMap((hooks) => {
      const hear = hooks[name];
      return hear === undefined ? [] : [{ hear, what: `the hook ${name}`, hooks }];
    });
  return {
    onStart: hearing('onStart'),
    onRequest: hearing('onRequest'),
    onResponse: hearing('onResponse'),
    onAttemptEnd: hearing('onAttemptEnd'),
    onRetry: hearing('onRetry'),
    onError: hearing('onError'),
    onApplied: hearing('onApplied'),
    onEnd: hearing('onEnd'),
  };
}

/** The diagnostics channel of each event. Ids are for hooks alone. */
const channels = once(
  (): Readonly<Record<keyof HookEvents, Channel | undefined>> => ({
    onStart: channelOf('partner-sdk:start'),
    onRequest: channelOf('partner-sdk:request'),
    onResponse: channelOf('partner-sdk:response'),
    onAttemptEnd: channelOf('partner-sdk:attempt-end'),
    onRetry: channelOf('partner-sdk:retry'),
    onError: channelOf('partner-sdk:error'),
    onApplied: undefined,
    onEnd: channelOf('partner-sdk:end'),
  }),
);
const channelList = once(() => Object.values(channels()).filter((channel) => channel !== undefined));

/** Passes events to hooks, logger and diagnostics channels. Their failures do not reach a call. */
export class Observer {
  /** Copies that inherit nothing, with every hook bound to its object. */
  readonly #hooks: readonly OwnHooks[];
  readonly #listeners: Readonly<Record<keyof HookEvents, readonly Listener[]>>;
  readonly #logger: Logger;
  /** True when there is a hook `run`. */
  readonly wrapsCalls: boolean;

  constructor(hooks: readonly Hooks[] | undefined, logger: Logger | undefined) {
    this.#hooks = hooks ?? [];
    this.#listeners = listenersIn(this.#hooks);
    this.wrapsCalls = this.#hooks.some(({ run }) => run !== undefined);
    this.#logger = isFieldsFirst(logger) ? pinoLogger(logger) : (logger ?? NO_MEMBERS);
  }

  /** False when no hook, logger or subscriber is there: a call then does nothing for events. */
  get hasListeners(): boolean {
    return this.#logger !== NO_MEMBERS || this.#hooks.some(isAwake) || channelList().some(isHeard);
  }

  /** False when no hook, logger or subscriber would see the event: then it need not be made. */
  hasListener(name: keyof HookEvents): boolean {
    if (this.#listeners[name].length > 0 || channels()[name]?.hasSubscribers === true) return true;
    const line = LOG_LINES[name];
    if (line === undefined || this.#logger === NO_MEMBERS) return false;
    try {
      return readMember(this.#logger, line[0]) !== undefined;
    } catch {
      return false;
    }
  }

  emit<Name extends keyof HookEvents>(name: Name, event: HookEvents[Name]): void {
    for (const { hear, what, hooks } of this.#listeners[name]) runSafely(() => hear(event as never), what, hooks);
    const channel = channels()[name];
    if (channel?.hasSubscribers === true) channel.publish(event);
    const line = LOG_LINES[name];
    if (line !== undefined) this.log(line[0], line[1], event);
  }

  log(level: keyof Logger, message: string, fields: object): void {
    const logger = this.#logger;
    if (logger === NO_MEMBERS) return;
    const write = () => (readMember(logger, level) as Logger[typeof level])?.call(logger, message, fields);
    runSafely(write, `the logger's ${level}()`, logger, 'logger');
  }

  /** Tells the hooks of the client that they belong to. */
  clientMade(event: ClientEvent): void {
    for (const hooks of this.#hooks) {
      if (hooks.onClient !== undefined) runSafely(() => hooks.onClient?.(event), 'the hook onClient', hooks);
    }
  }

  /** The headers of the hooks `headers`; undefined when there are none. A later hook wins. */
  headers(eventOf: () => AttemptEvent): Record<string, string> | undefined {
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

  /** Calls `start` inside the hooks `run`, the first outermost: exactly once, even if one fails. */
  wrap<T>(event: RunEvent, start: () => Promise<T>): Promise<T> {
    const inside = (place: number): Promise<T> => {
      const hooks = this.#hooks[place];
      return hooks === undefined ? start() : wrapOnce(hooks, event, () => inside(place + 1));
    };
    return inside(0);
  }
}

function wrapOnce<T>(hooks: Hooks, event: RunEvent, start: () => Promise<T>): Promise<T> {
  if (hooks.run === undefined) return start();
  let running: Promise<T> | undefined;
  const next = (): Promise<void> => {
    running ??= start();
    return running.then(ignore, ignore);
  };
  const callHook = () => {
    const returned = hooks.run?.(event, next);
    if (running === undefined) throw new Error('it returned before it called next()');
    return returned;
  };
  runSafely(callHook, 'the hook run', hooks);
  running ??= start();
  return running;
}

const isAwake = (hooks: OwnHooks): boolean => hooks[IS_IDLE]?.() !== true;
const isHeard = (channel: Channel): boolean => channel.hasSubscribers;

/** A logger that is not given: nothing is found on a polluted `Object.prototype`. */
const NO_MEMBERS: object = Object.freeze(Object.create(null));
const ignore = (): void => {};
