import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { OperationFact } from './fact.js';
import { parseQuery, problemsOf } from './rules.js';
import { signRequest, UUID_V4 } from './signing.js';

/** The largest nonce: an unsigned integer of 64 bits. */
const MAX_NONCE = 2n ** 64n - 1n;

/** The secret of the signature vectors, so that a call can be held against one. */
const SECRET = 'kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg==';

export interface Answer {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or a string that is sent as it is. Default: an empty body. */
  readonly body?: unknown;
}

/** One request that passed the authentication. */
export interface Received {
  readonly method: string;
  /** Path and query, exactly as they were sent. */
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly nonce: bigint;
  readonly key: string | undefined;
  readonly query: Readonly<Record<string, unknown>>;
  readonly rawBody: string;
  readonly body: unknown;
}

/** An error in the form of the API description. */
export function failure(status: number, code: string, more: Readonly<Record<string, unknown>> = {}): Answer {
  const error = { type: 'request_error', status, instance: `req_${status}_1f7c`, code, ...more };
  return { status, body: { error } };
}

/**
 * A service that a table of facts describes. It has none of this package's code: neither its
 * operations, nor its schemas, nor its signatures. It checks each request as strictly as the facts
 * allow, and answers with the samples of the table.
 */
export class SmallService {
  readonly apiKey = 'pk_contract_5d1e';
  readonly apiSecret = SECRET;
  readonly received: Received[] = [];
  /** What was wrong with the requests so far. */
  readonly problems: string[] = [];
  readonly #operations: readonly OperationFact[];
  readonly #server: Server;
  #answers: Answer[] = [];
  #highestNonce = -1n;
  readonly #keyed = new Map<string, Answer>();

  private constructor(operations: readonly OperationFact[]) {
    this.#operations = operations;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(operations: readonly OperationFact[]): Promise<SmallService> {
    const service = new SmallService(operations);
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Answers the next requests with these, also those to operations that the table does not have. */
  answers(...answers: readonly Answer[]): void {
    this.#answers.push(...answers);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request);
    const { status = 200, headers, body } = this.#answerTo(request, bytes);
    const text = body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body);
    const type = text === '' ? {} : { 'Content-Type': 'application/json' };
    response.writeHead(status, { ...type, 'Content-Length': Buffer.byteLength(text), ...headers }).end(text);
  }

  #answerTo(request: IncomingMessage, bytes: Buffer): Answer {
    const refused = this.#authenticate(request, bytes);
    if (refused !== undefined) {
      this.problems.push(refused);
      return failure(401, 'unauthenticated');
    }
    const { method = '', url: target = '' } = request;
    const scripted = this.#answers.shift();
    const url = new URL(target, 'http://service');
    const operation = this.#operations.find(({ route }) => matches(route, method, url.pathname));
    const query = parseQuery(url.searchParams, operation?.query);
    const key = request.headers['idempotency-key'] as string | undefined;
    const rawBody = bytes.toString();
    const received = { method, target, headers: request.headers, nonce: this.#highestNonce, key, query, rawBody };
    this.received.push({ ...received, body: rawBody === '' ? undefined : JSON.parse(rawBody) });
    if (operation === undefined) return scripted ?? this.#refuse([`${method} ${url.pathname} is not known`], 404);
    const problems = [
      ...headerProblems(operation, request.headers, rawBody),
      ...problemsOf(operation.query ?? {}, query, 'query'),
      ...(operation.body === undefined ? [] : bodyProblems(operation.body, rawBody)),
    ];
    if (problems.length > 0) return this.#refuse(problems, 400);
    return this.#keep(key, scripted ?? { body: operation.answer });
  }

  /** The first answer of an idempotency key that is no failure of the service is repeated for ever. */
  #keep(key: string | undefined, answer: Answer): Answer {
    if (key === undefined) return answer;
    const first = this.#keyed.get(key);
    if (first !== undefined) return { ...first, headers: { ...first.headers, 'Idempotent-Replayed': 'true' } };
    if ((answer.status ?? 200) < 500) this.#keyed.set(key, answer);
    return answer;
  }

  #refuse(problems: readonly string[], status: number): Answer {
    this.problems.push(...problems);
    const causes = problems.map((detail) => ({ code: 'invalid', param: detail.split(' ')[0], detail }));
    return failure(status, status === 404 ? 'not_found' : 'bad_request', { causes });
  }

  /** Returns why a request is not authenticated, or undefined if it is. */
  #authenticate({ headers, url = '' }: IncomingMessage, body: Buffer): string | undefined {
    if (headers['api-key'] !== this.apiKey) return 'API-Key is not known';
    const digits = headers['api-nonce'];
    if (typeof digits !== 'string' || !/^\d{1,20}$/.test(digits)) return 'API-Nonce is no decimal integer';
    const nonce = BigInt(digits);
    if (nonce > MAX_NONCE) return 'API-Nonce has more than 64 bits';
    if (headers['api-sign'] !== signRequest(this.apiSecret, url, digits, body)) return 'API-Sign is wrong';
    if (nonce <= this.#highestNonce) return 'API-Nonce is not above the last one';
    this.#highestNonce = nonce;
    return undefined;
  }
}

/** Whether a route is the one of a request. A parameter of a path is one segment, whatever it contains. */
function matches(route: string, method: string, path: string): boolean {
  const [wanted, template = ''] = route.split(' ');
  const segments = template.split('/');
  const given = path.split('/');
  return (
    wanted === method &&
    segments.length === given.length &&
    segments.every((segment, index) => segment.startsWith('{') || segment === given[index])
  );
}

function headerProblems(
  { key, otp, body }: OperationFact,
  headers: IncomingMessage['headers'],
  rawBody: string,
): string[] {
  const found = headers['idempotency-key'];
  return [
    ...(found !== undefined && key === undefined ? ['Idempotency-Key is not taken here'] : []),
    ...(found !== undefined && !UUID_V4.test(String(found)) ? ['Idempotency-Key is no UUID of version 4'] : []),
    ...(otp && !headers['api-otp'] ? ['API-Otp is missing'] : []),
    ...(body === undefined && rawBody !== '' ? ['a body is not taken here'] : []),
    ...(body !== undefined && headers['content-type'] !== 'application/json' ? ['Content-Type is not JSON'] : []),
  ];
}

const bodyProblems = (rules: NonNullable<OperationFact['body']>, rawBody: string): string[] =>
  rawBody === '' ? ['the body is missing'] : problemsOf(rules, JSON.parse(rawBody), 'body');
