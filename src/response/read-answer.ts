import type { Issue } from '../errors.js';
import { concat } from '../runtime/bytes.js';
import { type Answer, declaresData, type Operation } from '../schema/operation.js';
import { readBySchema } from '../schema/read.js';
import { Reading, type ResponseValidation, TOO_DEEP } from '../schema/reading.js';
import { unknownCoding } from '../transport/coding-names.js';
import { ownMember } from '../util/members.js';
import { isRecord } from '../util/options.js';
import { type AttemptResult, isSuccess } from './attempt-result.js';
import { hasTooManyValues, MAX_VALUES, NOT_JSON, parseJson } from './parse-json.js';

/** The reading of a 2xx answer. */
export type AnswerReading<T> =
  | {
      /** The value is handed over, with what is wrong in it. */
      readonly usable: true;
      readonly value: T;
      readonly issues: readonly Issue[];
      /** Paths of missing members, with `[]` for indices. */
      readonly missing: readonly string[];
      /** Messages about members of another type that are handed over unchanged, by their paths. */
      readonly accepted?: ReadonlyMap<string, string>;
      /** The answer is a page with a next one, whose token is not in the value. */
      readonly dropsToken?: true;
    }
  | { readonly usable: false; readonly issues: readonly Issue[] };

/** The body of a 2xx, before its members are read. */
export type ParsedBody =
  | { readonly kind: 'json'; readonly value: unknown }
  /** There is none, where it may be absent. */
  | { readonly kind: 'nothing' }
  /** Another text, a text that was cut short, or none where a value is due. */
  | { readonly kind: 'not_json'; readonly issue: Issue }
  /** JSON without `data` where a write declares it: a proxy or load balancer has responded. */
  | { readonly kind: 'foreign'; readonly issue: Issue }
  | { readonly kind: 'too_many_values'; readonly issue: Issue };

const NOTHING: ParsedBody = { kind: 'nothing' };

/** Parses the body of an attempt, once. Returns undefined if the attempt was no success. */
export function parseBody(operation: Operation, result: AttemptResult): ParsedBody | undefined {
  const { kind, status } = result;
  if (kind !== 'answer' || status === undefined || !isSuccess(status)) return undefined;
  const needsData = declaresData(operation);
  const text = decodeUtf8(result.body);
  if (text === '' && !needsData) return NOTHING;
  if (text !== undefined && hasTooManyValues(text)) return { kind: 'too_many_values', issue: TOO_MANY_VALUES };
  const value = text === undefined ? NOT_JSON : parseJson(text);
  if (value === NOT_JSON) return { kind: 'not_json', issue: notJson(text, result) };
  // A read is refused by its schema: that of `client.list()` may name another member.
  const isForeign = needsData && operation.method !== 'GET' && !(isRecord(value) && Object.hasOwn(value, 'data'));
  return isForeign ? { kind: 'foreign', issue: NO_DATA } : { kind: 'json', value };
}

/** Takes the method's value out of the parsed body of a 2xx answer. */
export function readAnswer<T>({ answer }: Operation<T>, body: ParsedBody, mode: ResponseValidation): AnswerReading<T> {
  if (body.kind === 'nothing' || answer.kind === 'nothing') return flawless(undefined as T);
  if (body.kind !== 'json') return { usable: false, issues: [body.issue] };
  return answer.kind === 'value' ? readValue(answer, body.value, mode) : readJson(answer, body.value);
}

function readJson<T>({ unwrap }: Extract<Answer<T>, { kind: 'json' }>, json: unknown): AnswerReading<T> {
  if (!unwrap || !isRecord(json) || !('data' in json)) return flawless(json as T);
  const reading = flawless(json['data'] as T);
  return json['next_page_token'] ? { ...reading, dropsToken: true } : reading;
}

const flawless = <T>(value: T) => ({ usable: true, value, issues: [], missing: [] }) as const;

const NO_DATA: Issue = {
  path: 'data',
  message: 'the body has no member data: a proxy or load balancer seems to have responded, not the service',
};

const TOO_MANY_VALUES: Issue = { path: '', message: `the answer has more than ${MAX_VALUES} values` };

function readValue<T>(
  answer: Extract<Answer<T>, { kind: 'value' }>,
  json: unknown,
  mode: ResponseValidation,
): AnswerReading<T> {
  const { schema, select } = answer;
  const arrange = ownMember(answer, 'arrange');
  const reading = new Reading(mode);
  const { issues, missing, accepted } = reading;
  try {
    const value = readBySchema(schema, arrange === undefined ? json : arrange(json), reading);
    if (reading.isRefused || (issues.length > 0 && mode !== 'warn')) return { usable: false, issues };
    return { usable: true, value: select(value), issues, missing, accepted };
  } catch (error) {
    // Any other error comes from `select`: the envelope, or the token of a page, cannot be used.
    if (error instanceof RangeError) reading.issue('', TOO_DEEP);
    const wrong = [...accepted].map(([path, message]) => ({ path, message }));
    return { usable: false, issues: [...issues, ...wrong] };
  }
}

/** It skips a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the body's text; undefined when it is not UTF-8, so not JSON either. */
function decodeUtf8(body: readonly Uint8Array[]): string | undefined {
  const [first] = body;
  if (first === undefined) return '';
  try {
    return utf8.decode(body.length === 1 ? first : concat(body));
  } catch {
    return undefined;
  }
}

function notJson(text: string | undefined, { headers }: AttemptResult): Issue {
  if (text === '') return { path: '', message: 'the body is empty' };
  const type = ownMember(headers, 'content-type') ?? 'no content type';
  return { path: '', message: unknownCoding(headers) ?? `the body is no JSON (${type})` };
}
