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
import { isProbability } from '../../trouble/faults/fault-options.js';

/** A bad webhook to come: which attempts it strikes, and what goes wrong with them. */
export interface WebhookFaultOptions {
  /** Kind of the events that it strikes, for example `quote.executed`. Default: all. */
  readonly kind?: string | undefined;
  /** Default: all webhooks. */
  readonly webhookId?: string | undefined;
  /** Default: all events. */
  readonly eventId?: string | undefined;
  /** Number of attempts that it strikes, 1 or more, or `'always'`. Default 1. */
  readonly times?: number | 'always' | undefined;
  /** Probability that it strikes an attempt, above 0 to 1, drawn by the seed. Default 1. */
  readonly probability?: number | undefined;
  /** `true`: nothing is sent, and the delivery counts as delivered with the status 200. */
  readonly drop?: boolean | undefined;
  /** Delay of the attempt in ms of the clock. Strikes only attempts of the plan. */
  readonly delay?: number | undefined;
  /** Further copies of the same delivery, sent at the same time: 1 to 100. */
  readonly duplicate?: number | undefined;
  /**
   * `true`: the delivery is held until another delivery to its webhook is over, for 60 s of the
   * clock at most. Strikes only attempts of the plan.
   */
  readonly reorder?: boolean | undefined;
  /**
   * - `wrong`: of the right form, made with nothing that fits;
   * - `missing`: the header is left out;
   * - `other_secret`: made by the rules with another secret;
   * - `malformed`: of another form.
   */
  readonly signature?: 'wrong' | 'missing' | 'other_secret' | 'malformed' | undefined;
  /**
   * The signed time: ten minutes ago (`stale`), in ten minutes (`future`), or this many ms from
   * now, below 0 for the past. The scheme `body` signs no time.
   */
  readonly timestamp?: 'stale' | 'future' | number | undefined;
  /**
   * The change of the body after it was signed:
   *
   * - `changed`: it has one more member, and is still JSON;
   * - `reserialized`: the same JSON with other white space;
   * - `truncated`: its first half.
   */
  readonly body?: 'changed' | 'reserialized' | 'truncated' | undefined;
  /** Sent as `Content-Type`. Default `application/json`. */
  readonly contentType?: string | undefined;
  /** Sent and signed as an event of this kind, for example one that the receiver does not know. */
  readonly sentAs?: string | undefined;
}

/** Members that say what goes wrong. */
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

/** A member that says what goes wrong. */
export type WebhookEffect = (typeof EFFECTS)[number];

/** Most copies of one delivery: more would only be load. */
const MAX_COPIES = 100;
const MAX_TEXT_LENGTH = 200;

/** Visible ASCII and spaces: a header can carry nothing else. */
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
 * Reads and checks the options of a bad webhook. `method` begins each message.
 *
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
