import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { operations } from '../../../resources/operations.js';
import type { Operation } from '../../../schema/operation.js';
import { isRecord } from '../../../util/options.js';
import { text } from '../../core/basics/checked.js';
import { excerpt } from '../../core/basics/excerpt.js';
import type { ApiKey } from '../../core/keys/api-keys.js';
import { MAX_BODY_BYTES, type RequestHead } from '../../core/request/messages.js';
import { Router } from '../../core/request/route.js';
import { acceptedOtp } from '../../kinds/otp.js';
import { signatureOf } from '../../service/authenticate.js';
import { headerPairs } from '../../service/journal/exchanges.js';
import type { JournalEntry } from '../../service/journal/journal.js';
import type { DrivenService } from '../service/driven.js';

/** A list is sent as one parameter for each item, a list of objects as `name[0][member]`. */
type QueryValue = string | number | boolean;

/** Options of `requests.send`. */
export interface SendOptions {
  /** `GET`, `POST`, `PUT`, `PATCH` or `DELETE`. */
  readonly method: string;
  /** Path, with or without a query, percent-encoded: `/v1/webhooks?page_size=3`. */
  readonly path: string;
  /**
   * Additional members of the query, which are encoded.
   *
   * @example
   * const query = { type: ['crypto', 'fiat'], page_size: 5 };
   * const { status, body } = await sandbox.requests.send({ method: 'GET', path: '/v1/assets', query
   * });
   */
  readonly query?:
    | Readonly<Record<string, QueryValue | readonly (QueryValue | Readonly<Record<string, QueryValue>>)[]>>
    | undefined;
  /** Sent as JSON. A string is sent unchanged, even if it is not JSON. Default: no body. */
  readonly body?: unknown;
  /** The API key that signs. Default: the first that is not revoked. */
  readonly apiKey?: string | undefined;
  /** Its `Idempotency-Key`; `null` for none. Default: a new one, if the operation accepts one. */
  readonly key?: string | null | undefined;
  /** Its `API-Otp`; `null` for none. Default: an accepted one, if the operation needs one. */
  readonly otp?: string | null | undefined;
}

/** The response to a request. */
export interface SendResult {
  /** Position in the journal: `requests.get(seq)` returns the details. */
  readonly seq: number;
  /** Undefined if a fault prevented a response. */
  readonly status: number | undefined;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The response's JSON, or its text if it is not JSON. Undefined if there is none. */
  readonly body: unknown;
}

const queryValue = z.union([z.string(), z.number(), z.boolean()]);
const queryMember = z.union([queryValue, z.array(z.union([queryValue, z.record(z.string(), queryValue)]))], {
  error: 'must be a string, a number, true or false, or a list of them',
});
/** What a header can contain. */
const headerText = z.string().check(z.regex(/^[!-~]([ -~]*[!-~])?$/, 'must be a printable string, or null for none'));

export const sendOptions = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z
    .string()
    .check(z.regex(/^\/[!-~]*$/, 'must begin with / and have only printable ASCII: percent-encode others')),
  query: z.optional(z.record(z.string(), queryMember)),
  body: z.optional(z.unknown()),
  apiKey: z.optional(text),
  key: z.optional(z.nullable(headerText)),
  otp: z.optional(z.nullable(headerText)),
});

const METHOD = 'requests.send';

const router = new Router(operations);

export async function send(service: DrivenService, options: SendOptions): Promise<SendResult> {
  const { method, path, query = {}, apiKey } = options;
  const body = bytesOf(options.body);
  const target = withQuery(path, query);
  const headers = headersOf(service, options, router.find(method, target).operation);
  // Answers contain URLs of the sandbox.
  const { origin } = new URL(service.webhooks.inbox.url('answers'));
  const signer = signerOf(service.keys.list(), apiKey);
  const { action, entry } = await sendOwn(service, signer, { method, target, origin, headers, body });
  const answer = 'answer' in action ? action.answer : undefined;
  const { status, headers: answered = {}, body: told = '' } = answer ?? {};
  return { seq: entry.seq, status, headers: { ...answered }, body: told === '' ? undefined : parsed(told) };
}

function headersOf(
  { state, fixtures }: DrivenService,
  { body, ...options }: SendOptions,
  operation: Operation | undefined,
): ReadonlyMap<string, string> {
  const wantedKey = operation?.retrySafety === 'keyed' ? randomUUID() : null;
  const wantedOtp = operation?.otp === true ? (acceptedOtp(state) ?? fixtures.otp) : null;
  const { key = wantedKey, otp = wantedOtp } = options;
  const headers = new Map<string, string>();
  if (key !== null) headers.set('idempotency-key', key);
  if (otp !== null) headers.set('api-otp', otp);
  if (body !== undefined) headers.set('content-type', 'application/json');
  return headers;
}

function signerOf(keys: readonly ApiKey[], wanted: string | undefined): ApiKey {
  const found = keys.find(({ apiKey, revoked }) => (wanted === undefined ? !revoked : apiKey === wanted));
  if (found !== undefined) return found;
  throw new Error(`${METHOD}: there is no API key ${wanted === undefined ? 'that is not revoked' : excerpt(wanted)}`);
}

function bytesOf(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array();
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  if (bytes.length > MAX_BODY_BYTES) throw new TypeError(`${METHOD}: body has more than ${MAX_BODY_BYTES} bytes`);
  return bytes;
}

function withQuery(path: string, query: NonNullable<SendOptions['query']>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const values = Array.isArray(value) ? value : [value];
    return values.flatMap((item, index) =>
      isRecord(item)
        ? Object.entries(item).map(([member, inner]) => pairOf(`${name}[${index}][${member}]`, inner))
        : [pairOf(name, item)],
    );
  });
  if (pairs.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

const pairOf = (name: string, value: unknown): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A request that the sandbox itself sends. */
interface OwnRequest extends Pick<RequestHead, 'method' | 'target' | 'origin' | 'cause'> {
  /** Headers by their lower-case names, without those of the signature. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

/** Signs a request, and lets the service process it. Others may use its nonce, too. */
function sendOwn(
  { requests }: DrivenService,
  { apiKey, secret, nonces }: ApiKey,
  { headers, body: bytes, ...request }: OwnRequest,
): ReturnType<DrivenService['requests']['receive']> {
  const nonce = String((nonces.last ?? 0n) + 1n);
  const signature = {
    'api-key': apiKey,
    'api-nonce': nonce,
    'api-sign': signatureOf(secret, request.target, nonce, bytes),
  };
  const all = new Map([...headers, ...Object.entries(signature)]);
  const head = { ...request, header: (name: string) => all.get(name), headers: () => [...all].flat(), isOwn: true };
  return requests.receive(head, Promise.resolve({ kind: 'complete', bytes }));
}

/** Options of `requests.replay`. */
export interface ReplayOptions {
  /** Its idempotency key: the `same` (default), or a `new` one, so it takes effect again. */
  readonly key?: 'same' | 'new' | undefined;
}

export const replayOptions = z.strictObject({ key: z.optional(z.enum(['same', 'new'])) });

const REPLAY = 'requests.replay';

/** Sends a request of the journal again. Returns the new entry. */
export async function replay(
  service: DrivenService,
  { seq, method, operation }: JournalEntry,
  { key = 'same' }: ReplayOptions,
): Promise<JournalEntry> {
  const exchange = service.journal.exchanges?.get(seq);
  if (exchange === undefined) {
    const isKept = service.journal.exchanges !== undefined;
    const why = isKept ? 'only the newest 1,000 have' : 'make the sandbox with the option inspect, which keeps';
    throw new Error(`${REPLAY}: ${why} what was sent`);
  }
  if (exchange.body === undefined || exchange.body.isCut) {
    throw new Error(`${REPLAY}: the body of request ${seq} is not kept as a whole`);
  }
  const headers = new Map(headerPairs(exchange));
  const isKeyed = operations.some(({ name, retrySafety }) => name === operation && retrySafety === 'keyed');
  if (key === 'new' && isKeyed) headers.set('idempotency-key', randomUUID());
  // If the API key of the request is unknown, the first key signs.
  const signer = service.keys.find(headers.get('api-key') ?? '') ?? service.keys.list()[0];
  if (signer === undefined) throw new Error(`${REPLAY}: the sandbox has no API key`);
  const { origin, target } = exchange;
  const body = Buffer.from(exchange.body.bytes);
  const sent = await sendOwn(service, signer, { method, target, origin, headers, body, cause: seq });
  return sent.entry;
}
