import { isIP } from 'node:net';
import type { Sandbox } from '../sandbox.js';

/** Where the control plane begins: no path of the API does. */
export const CONTROL_PREFIX = '/_sandbox/';

/** What may be read with GET, by the sandbox's own names. */
const READABLE = ['credentials', 'fixtures', 'journal', 'wallets', 'deliveries', 'books', 'now', 'snapshot'] as const;

/** What may be called with POST and a JSON array of these arguments, by the sandbox's own names. */
const CALLABLE = {
  advance: ['ms'],
  fail: ['options'],
  chaos: ['probability'],
  clearFaults: [],
  failQuote: ['quoteId'],
  rejectAddress: ['address'],
  convert: ['accountId', 'input'],
  deposit: ['accountId', 'input'],
  linkBank: ['accountId'],
  unlinkBank: ['bankLinkId'],
  setUserStatus: ['userId', 'status'],
  registerWebhook: ['input'],
  updateWebhook: ['webhookId', 'change'],
  rotateWebhookSecret: ['webhookId', 'options'],
  removeWebhook: ['webhookId'],
  redeliver: ['deliveryId'],
  idle: [],
  issueCredentials: [],
} as const satisfies Readonly<Partial<Record<keyof Sandbox, readonly string[]>>>;

type Callable = keyof typeof CALLABLE;

const isCallable = (name: string): name is Callable => Object.hasOwn(CALLABLE, name);

/** A request to the control plane. */
export interface ControlRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
  readonly body: string;
}

export interface ControlAnswer {
  readonly status: number;
  readonly body: string;
  /** The method that was called, if one was. */
  readonly call?: ControlCall;
}

/** A method that was called over the control plane, see `SandboxOptions.onControl`. */
export interface ControlCall {
  /** Name of the method, for instance `advance`. */
  readonly method: string;
  /** When it was over, by the sandbox's clock: milliseconds since the epoch. */
  readonly at: number;
  /** 200, or 400 when it was refused. */
  readonly status: number;
  /** What it was refused for. */
  readonly problem: string | undefined;
}

/**
 * The sandbox's own methods over HTTP, unsigned, so that a program in any language can drive it: `GET /_sandbox/fixtures`,
 * `POST /_sandbox/advance` with the body `[60000]`. Answers `{"data": …}`, or `{"error": {"message": …}}` with 400, 403, 404 or 405.
 */
export async function control(sandbox: Sandbox, request: ControlRequest, ownHost: string): Promise<ControlAnswer> {
  if (!isOurs(request, ownHost)) return refused(403, 'use the address that the sandbox listens on');
  if (isFromElsewhere(request)) return refused(403, 'pages of other origins have no access');
  const name = request.target.slice(CONTROL_PREFIX.length);
  const readable = READABLE.find((one) => one === name);
  const callable = isCallable(name) ? name : undefined;
  if (readable !== undefined && request.method === 'GET') return told(read(sandbox, readable));
  if (callable !== undefined && request.method === 'POST') return called(sandbox, callable, request);
  if (readable !== undefined) return refused(405, `${name} is read with GET`);
  if (callable !== undefined) return refused(405, `${name} is called with POST`);
  return refused(404, `there is no ${name}; GET: ${READABLE.join(', ')}; POST: ${Object.keys(CALLABLE).join(', ')}`);
}

/**
 * Whether no page in a browser sends this from elsewhere: a page whose name was made to lead to this machine (DNS rebinding) would
 * otherwise be let in as its own.
 */
function isOurs({ header }: ControlRequest, ownHost: string): boolean {
  const host = header('host') ?? '';
  const origin = header('origin');
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  const isOwnName = hostname === 'localhost' || hostname === ownHost || isIP(hostname.replace(/^\[|\]$/g, '')) > 0;
  return isOwnName && (origin === undefined || origin === `http://${host}`);
}

/** Whether a browser says that a page of another site or origin asks. Programs and typed addresses say nothing or `none`. */
function isFromElsewhere({ header }: ControlRequest): boolean {
  return !['same-origin', 'none'].includes(header('sec-fetch-site') ?? 'none');
}

function read(sandbox: Sandbox, name: (typeof READABLE)[number]): unknown {
  if (name === 'now' || name === 'snapshot') return sandbox[name]();
  return sandbox[name];
}

async function called(sandbox: Sandbox, method: Callable, request: ControlRequest): Promise<ControlAnswer> {
  try {
    const answer = told(await call(sandbox, method, request));
    return { ...answer, call: { method, at: sandbox.now(), status: answer.status, problem: undefined } };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const answer = refused(400, problem);
    return { ...answer, call: { method, at: sandbox.now(), status: answer.status, problem } };
  }
}

function call(sandbox: Sandbox, name: Callable, { header, body }: ControlRequest): unknown {
  // A page in a browser cannot send this type to another origin without asking, and it is not answered when it asks.
  if (header('content-type')?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new TypeError('Content-Type must be application/json');
  }
  const method: (...args: readonly unknown[]) => unknown = sandbox[name] as never;
  const args = argumentsOf(body);
  const names = CALLABLE[name];
  if (args.length > names.length) {
    const count = args.length === 1 ? '1 argument' : `${args.length} arguments`;
    throw new TypeError(`${name} takes [${names.join(', ')}], not ${count}`);
  }
  return method.apply(sandbox, args);
}

function argumentsOf(body: string): unknown[] {
  try {
    const args: unknown = body === '' ? [] : JSON.parse(body);
    if (Array.isArray(args)) return args;
  } catch {
    // No JSON is no array either.
  }
  throw new TypeError('the body must be a JSON array of the arguments');
}

/** Functions and nothing become null. */
function told(result: unknown): ControlAnswer {
  return { status: 200, body: JSON.stringify({ data: typeof result === 'function' ? null : (result ?? null) }) };
}

function refused(status: number, message: string): ControlAnswer {
  return { status, body: JSON.stringify({ error: { message } }) };
}
