import type { Issue } from '../errors.js';
import { concat, strictText } from '../runtime/bytes.js';
import { type Answer, declaresData, type Operation } from '../schema/operation.js';
import { type Reading, type ResponseValidation, readBySchema, TOO_DEEP } from '../schema/reading.js';
import type { Notes } from '../schema/tolerant.js';
import { unknownCoding } from '../transport/content-coding.js';
import { ownMember, putMember } from '../util/members.js';
import { isRecord } from '../util/options.js';
import { type AttemptResult, isSuccess } from './attempt-result.js';
import { hasTooManyValues, MAX_VALUES, NOT_JSON, parseJson } from './parse-json.js';

/** The reading of a 2xx response. */
export type AnswerReading<T> =
  | {
      /** The value is handed over, with what is wrong in it. */
      readonly usable: true;
      readonly value: T;
      readonly issues: readonly Issue[];
      /** What a tolerant reading accepted, if anything. */
      readonly notes?: Notes | undefined;
      /** The response is a page with a next one, whose token is not in the value. */
      readonly dropsToken?: true;
    }
  | { readonly usable: false; readonly issues: readonly Issue[] };

/** The body of a 2xx, before its members are read. */
export type ParsedBody =
  | { readonly kind: 'json'; readonly value: unknown; readonly text: string }
  /** There is none, where it may be absent. */
  | { readonly kind: 'nothing' }
  /** Something else, JSON that was cut short, or nothing where a value is due. */
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
  if (text === undefined || value === NOT_JSON) return { kind: 'not_json', issue: notJson(text, result) };
  // A read is rejected by its schema: that of `client.list()` may name another member.
  const isForeign = needsData && operation.method !== 'GET' && !(isRecord(value) && Object.hasOwn(value, 'data'));
  return isForeign ? { kind: 'foreign', issue: NO_DATA } : { kind: 'json', value, text };
}

/**
 * True if a text may have a member `__proto__`. A name may be escaped: `\u005f` is an underscore.
 */
const mayHaveProto = (text: string): boolean => text.includes('__proto__') || text.includes('\\u00');

/** Takes the method's value out of the parsed body of a 2xx response. */
export function readAnswer<T>({ answer }: Operation<T>, body: ParsedBody, mode: ResponseValidation): AnswerReading<T> {
  if (body.kind === 'nothing' || answer.kind === 'nothing') return flawless(undefined as T);
  if (body.kind !== 'json') return { usable: false, issues: [body.issue] };
  return answer.kind === 'value' ? readValue(answer, body, mode) : readJson(answer, body.value);
}

function readJson<T>({ unwrap }: Extract<Answer<T>, { kind: 'json' }>, json: unknown): AnswerReading<T> {
  if (!unwrap || !isRecord(json) || !('data' in json)) return flawless(json as T);
  const reading = flawless(json['data'] as T);
  return json['next_page_token'] ? { ...reading, dropsToken: true } : reading;
}

const flawless = <T>(value: T) => ({ usable: true, value, issues: [] }) as const;

const NO_DATA: Issue = {
  path: 'data',
  message: 'the body has no member data: a proxy or load balancer seems to have responded, not the service',
};

const TOO_MANY_VALUES: Issue = { path: '', message: `the response has more than ${MAX_VALUES} values` };

function readValue<T>(
  { schema, select, arrange }: Extract<Answer<T>, { kind: 'value' }>,
  { value: json, text }: Extract<ParsedBody, { kind: 'json' }>,
  mode: ResponseValidation,
): AnswerReading<T> {
  let reading: Reading | undefined;
  try {
    const arranged = arrange === undefined ? json : arrange(json);
    reading = readBySchema(schema, arranged, mode, text.length);
    if (!('value' in reading)) return { usable: false, issues: reading.issues };
    if (mayHaveProto(text)) putBackProto(arranged, reading.value);
    const { value, issues, notes } = reading;
    return { usable: true, value: select(value), issues, notes };
  } catch (error) {
    if (error instanceof RangeError) return { usable: false, issues: [{ path: '', message: TOO_DEEP }] };
    // From `select`: the envelope, or the token of a page, cannot be used.
    const accepted = [...(reading?.notes?.accepted ?? [])].map(([path, message]) => ({ path, message }));
    return { usable: false, issues: [...(reading?.issues ?? []), ...accepted] };
  }
}

/** Puts a member `__proto__` of the response into what zod has made of it: zod leaves it out. */
function putBackProto(from: unknown, to: unknown): void {
  if (from === to || !isObject(from) || !isObject(to)) return;
  for (const [name, value] of Object.entries(from)) {
    if (name === '__proto__') putMember(to, name, value);
    else putBackProto(value, to[name]);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Returns the body's text; undefined when it is not UTF-8, so not JSON either. */
function decodeUtf8(body: readonly Uint8Array[]): string | undefined {
  const [first] = body;
  if (first === undefined) return '';
  try {
    return strictText(body.length === 1 ? first : concat(body));
  } catch {
    return undefined;
  }
}

function notJson(text: string | undefined, { headers }: AttemptResult): Issue {
  if (text === '') return { path: '', message: 'the body is empty' };
  const type = ownMember(headers, 'content-type') ?? 'no content type';
  return { path: '', message: unknownCoding(headers) ?? `the body is not JSON (${type})` };
}
