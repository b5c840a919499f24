import { BOOLEAN, MILLISECONDS, oneOf, type Rules, rule, wholeNumber } from '../../../util/options.js';
import type { WebhookEffects } from './delivery-fault.js';

/** Maximum number of copies of one delivery; more are refused. */
const MAX_COPIES = 100;
/** Maximum length of a header in characters; a longer one is refused. */
const MAX_TEXT_LENGTH = 200;

/** Printable ASCII: other characters are not safe in a header. */
const HEADER_TEXT = new RegExp(`^[ -~]{1,${MAX_TEXT_LENGTH}}$`);

const HEADER = rule(
  (value) => typeof value === 'string' && HEADER_TEXT.test(value),
  `must be text of 1 to ${MAX_TEXT_LENGTH} printable ASCII characters`,
);

export const EFFECT_RULES = {
  drop: BOOLEAN,
  delay: MILLISECONDS,
  duplicate: wholeNumber(1, MAX_COPIES),
  reorder: BOOLEAN,
  signature: oneOf('wrong', 'missing', 'other_secret', 'malformed'),
  timestamp: rule(
    (value) => value === 'stale' || value === 'future' || (Number.isFinite(value) && Math.abs(Number(value)) < 1e12),
    "must be 'stale', 'future' or milliseconds",
  ),
  body: oneOf('changed', 'reserialized', 'truncated'),
  contentType: HEADER,
  sentAs: HEADER,
} satisfies Rules<WebhookEffects>;

const EFFECTS = Object.keys(EFFECT_RULES) as (keyof WebhookEffects)[];

/**
 * Checks effects together.
 *
 * @param method Start of an error's message.
 * @throws TypeError if nothing goes wrong, or if effects exclude each other.
 */
export function checkEffects(method: string, given: WebhookEffects): void {
  const effects = EFFECTS.filter((name) => given[name] !== undefined && given[name] !== false);
  if (effects.length === 0) throw new TypeError(`${method}: say what goes wrong: ${EFFECTS.join(', ')}`);
  if (given.drop === true && effects.length > 1) {
    throw new TypeError(`${method}: drop sends nothing: leave ${effects.filter((name) => name !== 'drop')} out`);
  }
  if (given.delay !== undefined && given.reorder === true) {
    throw new TypeError(`${method}: delay and reorder both hold a delivery back: give one of them`);
  }
}
