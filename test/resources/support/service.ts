import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { fetchTransport, PartnerClient, RequestValidationError } from '../../../src/index.js';
import { signature } from '../../support/signature.js';

export const BASE_URL = 'https://api.partner.test';
export const API_KEY = 'pk-of-the-resource-tests';
export const API_SECRET = Buffer.from('a secret that no output may ever show').toString('base64');
export const OTP = 'otp-918273';

export type ClientOptions = NonNullable<ConstructorParameters<typeof PartnerClient>[0]>;

/** One request as the service saw it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  /** Path and query exactly as they came. */
  readonly path: string;
  readonly pathname: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Answering = (request: Received, index: number) => Response | Promise<Response>;

/** A JSON answer; `status` 200 unless told. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return HttpResponse.text(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** An answer in the error form of the API. */
export function failure(status: number, code: string, members: Record<string, unknown> = {}, retryAfter?: string) {
  const error = { type: 'request_error', status, instance: 'occurrence-1', code, ...members };
  return json({ error }, status, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
}

/** The answer as it belongs to the request: an id of the path, or the symbols, types and amount of a quote that is asked for, replace those in it. */
export function forRequest(
  { method, pathname, body }: Pick<Received, 'method' | 'pathname' | 'body'>,
  answer: unknown,
) {
  const data = isObject(answer) ? answer['data'] : undefined;
  if (!isObject(data)) return answer;
  const own = { ...data };
  const replace = (target: Record<string, unknown>, name: string, value: unknown) => {
    if (typeof target[name] === 'string' && value !== undefined) target[name] = value;
  };
  const [, id] =
    /\/(?:users|quotes|onchain-quotes|price-trigger-swaps|v1\/conversions|v1\/transfers|settlement)\/([^/]+)(?:\/execute)?$/.exec(
      pathname,
    ) ?? [];
  if (id !== undefined) replace(own, 'id', decodeURIComponent(id));
  const [, webhook] = /\/webhooks\/([^/]+)$/.exec(pathname) ?? [];
  if (webhook !== undefined) for (const name of ['id', 'webhook_id']) replace(own, name, decodeURIComponent(webhook));
  const [, link] = /\/bank-links\/([^/]+)$/.exec(pathname) ?? [];
  if (link !== undefined) replace(own, 'bank_link_id', decodeURIComponent(link));
  if (method === 'POST' && /quotes$/.test(pathname)) {
    const asked = JSON.parse(body) as Record<string, Record<string, unknown>>;
    for (const side of ['from', 'to']) {
      if (!isObject(own[side])) continue;
      const copy = { ...own[side] };
      for (const name of ['symbol', 'type', 'amount']) replace(copy, name, asked[side]?.[name]);
      own[side] = copy;
    }
  }
  return { ...(answer as object), data: own };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The service that one test file talks to, by MSW, as users of MSW have it: the other test service is behind a socket. A request that is not signed over exactly the path and body that arrived, or
 * whose nonce was used before, fails the test that sent it.
 */
export class Service {
  readonly received: Received[] = [];
  checksSignatures = true;
  #answering: Answering = () => failure(501, 'unimplemented');
  readonly #clients: PartnerClient[] = [];
  readonly #wrong: string[] = [];
  readonly #nonces = new Set<string>();

  answer(answering: Answering): void {
    this.#answering = answering;
  }

  /** Answers every request with this body, in which stands what the request names. */
  answerJson(body: unknown, status = 200): void {
    this.#answering = (request) => json(forRequest(request, body), status);
  }

  /** The only request so far. */
  get only(): Received {
    expect(this.received).toHaveLength(1);
    return this.received[0] as Received;
  }

  /** A client of this service, closed when the test ends. One attempt a call unless told otherwise. */
  client(options: Partial<ClientOptions> = {}): PartnerClient {
    const client = new PartnerClient({
      baseUrl: BASE_URL,
      apiKey: API_KEY,
      apiSecret: API_SECRET,
      maxRetries: 0,
      transport: fetchTransport(),
      ...options,
    });
    this.#clients.push(client);
    return client;
  }

  async handle(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url);
    const received: Received = {
      method: request.method,
      url: request.url,
      path: `${pathname}${search}`,
      pathname,
      query: searchParams,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    };
    this.#check(received);
    const index = this.received.push(received) - 1;
    return this.#answering(received, index);
  }

  #check({ method, path, headers, body }: Received): void {
    const nonce = headers['api-nonce'] ?? '';
    // Each API key has nonces of its own: two keys may have the same one.
    const used = `${headers['api-key']} ${nonce}`;
    if (this.#nonces.has(used)) this.#wrong.push(`${method} ${path}: nonce ${nonce} came twice`);
    this.#nonces.add(used);
    if (!this.checksSignatures) return;
    if (headers['api-key'] !== API_KEY) this.#wrong.push(`${method} ${path}: API-Key ${headers['api-key']}`);
    if (headers['api-sign'] !== signature(API_SECRET, path, nonce, body))
      this.#wrong.push(`${method} ${path}: wrong signature of ${body}`);
  }

  async endTest(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
    const wrong = this.#wrong.splice(0);
    this.received.length = 0;
    this.checksSignatures = true;
    this.#answering = () => failure(501, 'unimplemented');
    expect(wrong).toEqual([]);
  }
}

/** Starts the service for one test file. Any request elsewhere is an error. */
export function startService(): Service {
  const service = new Service();
  const server = setupServer(http.all(`${BASE_URL}/*`, ({ request }) => service.handle(request)));
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterEach(() => service.endTest());
  afterAll(() => server.close());
  return service;
}

/** Notes rejections that nobody handles. Expects that a test leaves none in the list. */
export function watchUnhandled(): unknown[] {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  beforeEach(() => void process.on('unhandledRejection', note));
  afterEach(async () => {
    await new Promise((resolve) => setTimeout(resolve, 40));
    process.off('unhandledRejection', note);
    expect(unhandled.splice(0)).toEqual([]);
  });
  return unhandled;
}

/** A value that the types forbid, for tests of what is refused at run time. */
export function wrong<T>(value: unknown): T {
  return value as T;
}

/** A function of the application that throws. */
export const failing = (message: string) => (): never => {
  throw new Error(message);
};

/** Freezes a plain value through and through, so that a library that writes into it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}

type ErrorClass<E> = new (...args: never[]) => E;

/** The error that a call rejects with. Fails when the call resolves, or the error is not of this class or lacks these members. */
export async function rejection<E = unknown>(
  call: PromiseLike<unknown> | (() => PromiseLike<unknown>),
  errorClass?: ErrorClass<E>,
  members?: object,
): Promise<E> {
  const [end] = await Promise.allSettled([(async () => (typeof call === 'function' ? call() : call))()]);
  if (end.status === 'fulfilled') throw new Error(`the call did not reject, it gave ${JSON.stringify(end.value)}`);
  if (errorClass !== undefined) expect(end.reason).toBeInstanceOf(errorClass);
  if (members !== undefined) expect(end.reason).toMatchObject(members);
  return end.reason;
}

/** Where the input of a call is refused, or its answer by an error of another class. */
export async function issuePaths(
  call: Parameters<typeof rejection>[0],
  errorClass: ErrorClass<Error> = RequestValidationError,
): Promise<string[]> {
  return ((await rejection(call, errorClass)) as RequestValidationError).issues.map(({ path }) => path);
}
