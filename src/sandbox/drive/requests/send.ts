import { randomUUID } from 'node:crypto';
import { operations } from '../../../resources/operations.js';
import { ANYTHING, checkGiven, isRecord, type Rules, rule } from '../../../util/options.js';
import { excerpt } from '../../core/basics/excerpt.js';
import type { ApiKey } from '../../core/keys/api-keys.js';
import { MAX_BODY_BYTES, type RequestHead } from '../../core/request/messages.js';
import { Router } from '../../core/request/route.js';
import { takenOtp } from '../../kinds/otp.js';
import { signatureOf } from '../../service/authenticate.js';
import type { DrivenService } from '../service/driven.js';

/** A value of a query. A list is sent as one parameter each; of objects, as `name[0][member]`. */
type QueryValue = string | number | boolean;

/** A request that the sandbox is to sign and send. */
export interface SendOptions {
  /** `GET`, `POST`, `PUT`, `PATCH` or `DELETE`. */
  readonly method: string;
  /** Path, with or without a query, percent-encoded: `/v1/webhooks?page_size=3`. */
  readonly path: string;
  /**
   * Further members of the query. They are encoded.
   *
   * @example
   * const query = { type: ['crypto', 'fiat'], page_size: 5 };
   * const { status, body } = await sandbox.requests.send({ method: 'GET', path: '/v1/assets', query });
   */
  readonly query?:
    | Readonly<Record<string, QueryValue | readonly (QueryValue | Readonly<Record<string, QueryValue>>)[]>>
    | undefined;
  /** Sent as JSON. Text is sent as it is, also if it is not JSON. Default: no body. */
  readonly body?: unknown;
  /** The API key that signs. Default: the first that is not revoked. */
  readonly apiKey?: string | undefined;
  /** Its `Idempotency-Key`; `null` for none. Default: a new one, if the operation takes one. */
  readonly key?: string | null | undefined;
  /** Its `API-Otp`; `null` for none. Default: one that is taken, if the operation needs one. */
  readonly otp?: string | null | undefined;
}

/** The answer to a request. */
export interface SendResult {
  /** Its place in the journal: `requests.get(seq)` has all of it. */
  readonly seq: number;
  /** Undefined if there was no answer, by a fault. */
  readonly status: number | undefined;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON of the answer; its text if it is not JSON. Undefined if there is none. */
  readonly body: unknown;
}

const METHOD = 'requests.send';
const VERBS: readonly unknown[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
/** Characters that a header can carry. */
const isWord = (value: unknown): boolean => typeof value === 'string' && /^[!-~]([ -~]*[!-~])?$/.test(value);
const isPlainValue = (value: unknown): value is QueryValue => ['string', 'number', 'boolean'].includes(typeof value);
const isQueryItem = (value: unknown): boolean =>
  isPlainValue(value) || (isRecord(value) && Object.values(value).every(isPlainValue));
const isQuery = (value: unknown): boolean =>
  isRecord(value) &&
  Object.values(value).every((one) => (Array.isArray(one) ? one.every(isQueryItem) : isPlainValue(one)));

const wordOrNone = rule((value) => value === null || isWord(value), 'must be printable text, or null for none');

const SEND_RULES = {
  method: { ...rule((value) => VERBS.includes(value), `must be one of ${VERBS.join(', ')}`), required: true },
  path: {
    ...rule(
      (value) => typeof value === 'string' && /^\/[!-~]*$/.test(value),
      'must begin with / and have only printable ASCII: percent-encode others',
    ),
    required: true,
  },
  query: rule(isQuery, 'must be an object of texts, numbers, booleans, and lists of them'),
  body: ANYTHING,
  apiKey: rule(isText, 'must be text'),
  key: wordOrNone,
  otp: wordOrNone,
} satisfies Rules<SendOptions>;

const router = new Router(operations);

/** Signs a request and lets the service answer it, as it answers one from outside. */
export async function send(service: DrivenService, given: SendOptions): Promise<SendResult> {
  const options = checkGiven(METHOD, given, SEND_RULES, TypeError);
  const body = bytesOf(options.body);
  const head = headOf(service, options, body);
  const { action, entry } = await service.requests.receive(head, Promise.resolve({ kind: 'complete', bytes: body }));
  const answer = 'answer' in action ? action.answer : undefined;
  const { status, headers = {}, body: text = '' } = answer ?? {};
  return { seq: entry.seq, status, headers: { ...headers }, body: text === '' ? undefined : parsed(text) };
}

function headOf(
  { keys, fixtures, state, webhooks }: DrivenService,
  options: SendOptions,
  body: Uint8Array,
): RequestHead {
  const { method, path, query = {}, apiKey } = options;
  const target = withQuery(path, query);
  const { operation } = router.find(method, target);
  const isKeyed = operation?.retrySafety === 'keyed';
  const signer = signerOf(keys.list(), apiKey);
  const nonce = String((signer.nonces.last ?? 0n) + 1n);
  const wantedOtp = operation?.otp === true ? (takenOtp(state) ?? fixtures.otp) : null;
  const { key = isKeyed ? randomUUID() : null, otp = wantedOtp } = options;
  const all = new Map<string, string>([
    ['api-key', signer.apiKey],
    ['api-nonce', nonce],
    ['api-sign', signatureOf(signer.secret, target, nonce, body)],
    ...(key === null ? [] : ([['idempotency-key', key]] as const)),
    ...(otp === null ? [] : ([['api-otp', otp]] as const)),
    ...(options.body === undefined ? [] : ([['content-type', 'application/json']] as const)),
  ]);
  // Answers name addresses of the sandbox.
  const { origin } = new URL(webhooks.inbox.url('answers'));
  return { method, target, origin, header: (name) => all.get(name), headers: () => [...all].flat(), isOwn: true };
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
