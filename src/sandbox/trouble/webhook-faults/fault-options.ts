import {
  BOOLEAN,
  checkGiven,
  isCount,
  MILLISECONDS,
  oneOf,
  type Rules,
  rule,
  wholeNumber,
} from '../../../util/options.js';
import type { WebhookFaultOptions } from '../../webhooks/delivery/delivery-fault.js';
import { isProbability } from '../faults/fault-options.js';

/** Members that define what goes wrong. */
const EFFECTS = [
  'drop',
  'delay',
  'duplicate',
  'reorder',
  'signature',
  'timestamp',
  'body',
  'contentType',
  'sentAs',
] as const satisfies readonly (keyof WebhookFaultOptions)[];

/** A member that defines what goes wrong. */
export type WebhookEffect = (typeof EFFECTS)[number];

/** Maximum number of copies of one delivery; more are refused. */
const MAX_COPIES = 100;
/** Maximum length of a header in characters; a longer one is refused. */
const MAX_TEXT_LENGTH = 200;

/** Printable ASCII: other characters are not safe in a header. */
const HEADER_TEXT = new RegExp(`^[ -~]{1,${MAX_TEXT_LENGTH}}$`);

const TEXT = rule((value) => typeof value === 'string' && value !== '', 'must be text');
const HEADER = rule(
  (value) => typeof value === 'string' && HEADER_TEXT.test(value),
  `must be text of 1 to ${MAX_TEXT_LENGTH} printable ASCII characters`,
);

const RULES = {
  kind: TEXT,
  webhookId: TEXT,
  eventId: TEXT,
  times: rule(
    (value) => isCount(value, 1) || value === 'always',
    "must be a whole number of 1 or more, or 'always'",
    (value) => (value === Number.POSITIVE_INFINITY ? 'always' : value),
  ),
  probability: rule(isProbability, 'must be above 0, at most 1'),
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
} satisfies Rules<WebhookFaultOptions>;

/**
 * Reads and checks the options of a webhook fault.
 *
 * @param method Start of an error's message.
 * @throws TypeError for an unknown or wrong option, or if nothing goes wrong.
 */
export function readWebhookFault(method: string, given: WebhookFaultOptions): WebhookFaultOptions {
  const options = checkGiven(method, given, RULES, TypeError);
  const effects = EFFECTS.filter((name) => options[name] !== undefined && options[name] !== false);
  if (effects.length === 0) throw new TypeError(`${method}: say what goes wrong: ${EFFECTS.join(', ')}`);
  if (options.drop === true && effects.length > 1) {
    throw new TypeError(`${method}: drop sends nothing: leave ${effects.filter((name) => name !== 'drop')} out`);
  }
  if (options.delay !== undefined && options.reorder === true) {
    throw new TypeError(`${method}: delay and reorder both hold a delivery back: give one of them`);
  }
  return options;
}
