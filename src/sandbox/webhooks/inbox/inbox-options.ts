import * as z from 'zod/mini';
import { anyMs, count, countAboveZero } from '../../core/basics/checked.js';

/** Options of an inbox's responses to deliveries. */
export interface InboxAnswer {
  /** Name of the inbox. Default: all inboxes without a response of their own. */
  readonly name?: string | undefined;
  /** Status, 200 to 599. Default 200. */
  readonly status?: number | undefined;
  /** Real milliseconds until it responds. The sandbox stops waiting after 30,000. Default 0. */
  readonly delayMs?: number | undefined;
  /** The response's body, at most 16,384 characters. Default `''`. */
  readonly body?: string | undefined;
  /** If `true`, responds to an invalid delivery with 401, as a receiver should. Default `false`. */
  readonly strict?: boolean | undefined;
  /** Number of deliveries that get this response, or `'always'` (default). Later ones get 200. */
  readonly times?: number | 'always' | undefined;
}

/** Current responses of an inbox. */
export interface InboxAnswering {
  /** Name of the inbox. Undefined for all inboxes without a response of their own. */
  readonly name?: string | undefined;
  readonly status: number;
  /** Real milliseconds until it responds. */
  readonly delayMs: number;
  readonly body: string;
  /** True if an invalid delivery gets 401. */
  readonly strict: boolean;
  /** Number of further deliveries that get this response. */
  readonly left: number | 'always';
}

/** Filter of inbox messages. */
export interface InboxFilter {
  /** Name of the inbox. Default: all. */
  readonly name?: string | undefined;
  /** Only messages with a higher `seq`. */
  readonly after?: number | undefined;
  /** Maximum number of messages, from the oldest that matches: 1 or more. Default: all. */
  readonly limit?: number | undefined;
}

/** Names of methods, whose paths would be those of the inboxes. */
const METHOD_NAMES: readonly string[] = ['list', 'clear', 'answer', 'answers', 'url'];

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_BODY_LENGTH = 16_384;

/** Completes the sentence "name …". */
const NAME_RULE = `must be 1 to 64 letters, digits, - or _, and none of ${METHOD_NAMES.join(', ')}`;

export function isInboxName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value) && !METHOD_NAMES.includes(value);
}

export const inboxName = z.string().check(z.refine(isInboxName, NAME_RULE));

export const inboxAnswer = z.strictObject({
  name: z.optional(inboxName),
  status: z.optional(z.int().check(z.minimum(200), z.maximum(599))),
  delayMs: z.optional(anyMs),
  body: z.optional(z.string().check(z.maxLength(MAX_BODY_LENGTH))),
  strict: z.optional(z.boolean()),
  times: z.optional(z.union([countAboveZero, z.literal('always')])),
});

export const inboxFilter = z.strictObject({
  name: z.optional(inboxName),
  after: z.optional(count),
  limit: z.optional(countAboveZero),
});
