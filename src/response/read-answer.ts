import type { Issue } from '../errors.js';
import { concat } from '../runtime/bytes.js';
import type { Answer, Operation } from '../schema/operation.js';
import { readBySchema } from '../schema/read.js';
import { Reading, type ResponseValidation, TOO_DEEP } from '../schema/reading.js';
import { hidePollution } from '../util/members.js';
import { isRecord } from '../util/options.js';
import type { AttemptResult } from './attempt-result.js';
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
      /** The answer is a page with a next one, whose token is not in the value. */
      readonly dropsToken?: true;
    }
  | { readonly usable: false; readonly issues: readonly Issue[] };

/** Takes the method's value out of a 2xx answer. */
export function readAnswer<T>(
  { answer }: Operation<T>,
  result: AttemptResult,
  mode: ResponseValidation,
): AnswerReading<T> {
  if (answer.kind === 'nothing') return flawless(undefined as T);
  const text = decodeUtf8(result.body);
  if (text === '' && answer.kind === 'json') return flawless(undefined as T);
  if (text !== undefined && hasTooManyValues(text)) return { usable: false, issues: [TOO_MANY_VALUES] };
  const json = text === undefined ? NOT_JSON : parseJson(text);
  if (json === NOT_JSON) return { usable: false, issues: [notJson(text, result)] };
  if (answer.kind === 'value') return readValue(answer, json, mode);
  if (!answer.unwrap || !isRecord(json) || !('data' in json)) return flawless(json as T);
  const reading = flawless(json['data'] as T);
  return json['next_page_token'] ? { ...reading, dropsToken: true } : reading;
}

const flawless = <T>(value: T) => ({ usable: true, value, issues: [], missing: [] }) as const;

const TOO_MANY_VALUES: Issue = { path: '', message: `the answer has more than ${MAX_VALUES} values` };

function readValue<T>(
  { schema, select, arrange }: Extract<Answer<T>, { kind: 'value' }>,
  json: unknown,
  mode: ResponseValidation,
): AnswerReading<T> {
  const reading = new Reading(mode);
  const { issues, missing } = reading;
  // A missing member would be found on a polluted prototype.
  const putBack = hidePollution();
  try {
    const value = readBySchema(schema, arrange === undefined ? json : arrange(json), reading);
    if (reading.isRefused || (issues.length > 0 && mode !== 'warn')) return { usable: false, issues };
    return { usable: true, value: select(value), issues, missing };
  } catch (error) {
    // Any other error comes from `select`: the envelope is not there, and its issues are noted.
    if (error instanceof RangeError) reading.issue('', TOO_DEEP);
    return { usable: false, issues };
  } finally {
    putBack?.();
  }
}

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
  const type = headers['content-type'] ?? 'no content type';
  return { path: '', message: text === '' ? 'the body is empty' : `the body is no JSON (${type})` };
}
