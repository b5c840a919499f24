import { bodyText } from '../redaction/redact.js';
import { isRecord } from '../util/options.js';
import { MAX_ERROR_BODY_BYTES } from './api-error.js';
import type { AttemptResult } from './attempt-result.js';
import { NOT_JSON, parseBeginning, parseJson } from './parse-json.js';

/**
 * Returns the texts of an answer that no error and no log may show: those of `member`, at any
 * depth. If the body cannot be parsed, even in part, the whole text is a secret.
 */
export function answerSecrets(member: string, { body }: Pick<AttemptResult, 'body'>): string[] {
  const text = bodyText(body, MAX_ERROR_BODY_BYTES);
  const whole = parseJson(text);
  const value = whole === NOT_JSON ? parseBeginning(text) : whole;
  return value === NOT_JSON ? [text] : textsOf(member, value);
}

function textsOf(member: string, value: unknown): string[] {
  const found: string[] = [];
  const left = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (Array.isArray(next)) left.push(...next);
    if (!isRecord(next)) continue;
    const secret = next[member];
    if (typeof secret === 'string' || typeof secret === 'number') found.push(String(secret));
    left.push(...Object.values(next));
  }
  return found;
}
