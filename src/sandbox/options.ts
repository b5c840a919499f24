import {
  ANYTHING,
  BOOLEAN,
  checkGiven,
  checkOptions,
  FUNCTION,
  type Rules,
  rule,
  wholeNumber,
} from '../util/options.js';
import type { JournalEntry } from './request/journal.js';
import { isLatency, type Latency } from './request/latency.js';
import type { SandboxSnapshot } from './snapshot/snapshot.js';
import type { Delivery, DeliveryAttempt } from './webhooks/delivery.js';
import type { Deliver } from './webhooks/in-process.js';

/** How a sandbox is made. */
export interface SandboxOptions {
  /** The same seed gives the same data, ids and credentials. A whole number, default 1; with `snapshot` that of the snapshot. */
  readonly seed?: number | undefined;
  /**
   * `false` (default): the clock stands still at one fixed moment and moves by `advance` alone, so that every run is the same.
   * `true`: it runs with the machine's clock, what becomes due happens by itself, and `advance` adds to it.
   */
  readonly realTime?: boolean | undefined;
  /** How many requests the journal keeps; the oldest go first. A whole number, 0 or more, default 10,000. */
  readonly journalLimit?: number | undefined;
  /**
   * Real milliseconds for which each answer is held back, or the least and the most of them, drawn by the seed: 0 to 2,147,483,647,
   * default 0. The effect takes place when the request arrives, whether or not anybody still waits for its answer.
   */
  readonly latency?: Latency | undefined;
  /**
   * The one-time password that the service takes, 1 to 64 printable ASCII characters: every other is answered 401. Default: any is taken.
   * `fixtures.otp` is this one.
   */
  readonly otp?: string | undefined;
  /**
   * `true`: while a user's `status.state` is not `ok`, every operation of its accounts is answered 403. Default `false`: the state is shown
   * and has no consequences.
   */
  readonly enforceUserStatus?: boolean | undefined;
  /** Called with each entry of the journal as it is made. What it throws changes nothing: it is reported once as a process warning. */
  readonly onRequest?: ((entry: JournalEntry) => void) | undefined;
  /**
   * Goes on from here: what `snapshot()` of a sandbox gave, also in another process, and also through JSON. The same credentials, nonces,
   * ids, idempotency keys and page tokens stay valid. Its clock goes on from the same moment; when both run with the machine's clock, the
   * time in between has passed. Data that is no snapshot is a `TypeError` that names the place.
   */
  readonly snapshot?: SandboxSnapshot | undefined;
  /**
   * Takes webhook deliveries in place of the network: a function like `fetch`, for instance an application's own
   * (`(request) => app.fetch(request)`). An attempt fails when it throws, rejects, gives no `Response`, or has given none after 30 s.
   * Default: the network, with a connection of its own for each attempt.
   */
  readonly deliver?: Deliver | undefined;
  /**
   * Called with each attempt to deliver a webhook, once it is over, and with the delivery as it is then. What it throws changes
   * nothing: it is reported once as a process warning.
   */
  readonly onDelivery?: ((delivery: Delivery, attempt: DeliveryAttempt) => void) | undefined;
  /**
   * Called with each method that a program has called over HTTP (`POST /_sandbox/<method>`, see `Sandbox.listen`). What it throws changes
   * nothing: it is reported once as a process warning.
   */
  readonly onControl?: ((call: ControlCall) => void) | undefined;
}

/** A method that a program has called over HTTP. */
export interface ControlCall {
  /** Name of the method as the caller wrote it, for example `clock.advance`, or `advance` for the path `/_sandbox/advance`. */
  readonly method: string;
  /** Time at which it was over, by the sandbox's clock: milliseconds since the epoch. */
  readonly at: number;
  /** 200, or 400 if it was refused. */
  readonly status: number;
  /** Reason of the refusal; undefined if there was none. */
  readonly problem: string | undefined;
}

/** Where a sandbox listens. */
export interface ListenOptions {
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** Default `127.0.0.1`, this machine alone. */
  readonly host?: string | undefined;
}

const SANDBOX_RULES = {
  seed: rule(Number.isSafeInteger, 'must be a whole number'),
  realTime: BOOLEAN,
  journalLimit: wholeNumber(0),
  latency: rule(isLatency, 'must be milliseconds, 0 or more, or [least, most] of them', copyRange),
  otp: rule(isOtp, 'must be text of 1 to 64 printable ASCII characters, without spaces'),
  enforceUserStatus: BOOLEAN,
  onRequest: FUNCTION,
  snapshot: ANYTHING,
  deliver: FUNCTION,
  onDelivery: FUNCTION,
  onControl: FUNCTION,
} satisfies Rules<SandboxOptions>;

const LISTEN_RULES = {
  port: { ...wholeNumber(0, 65_535), default: 0 },
  host: {
    ...rule((value) => typeof value === 'string' && value !== '', 'must be a name or an address'),
    default: '127.0.0.1',
  },
} satisfies Rules<ListenOptions>;

/** What a header can carry. */
function isOtp(value: unknown): boolean {
  return typeof value === 'string' && /^[!-~]{1,64}$/.test(value);
}

function copyRange(value: unknown): unknown {
  return Array.isArray(value) ? [...value] : value;
}

/** The options, read once. Throws a `TypeError` that names the wrong one. */
export function readSandboxOptions(options: SandboxOptions): SandboxOptions {
  return checkGiven('createSandbox', options, SANDBOX_RULES, TypeError);
}

/** Where to listen. Throws a `TypeError` that names the wrong option. */
export function checkedListen(options: ListenOptions): { readonly port: number; readonly host: string } {
  return checkOptions('listen', options, LISTEN_RULES, TypeError);
}
