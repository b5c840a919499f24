import fc from 'fast-check';
import { html, refuse } from '../../support/service.js';

/** What the part of a body that arrived shows of its sender. */
type Shown = 'success' | 'rejection' | 'json' | 'nothing' | 'other';

interface Head {
  readonly status: number;
  readonly body: Uint8Array;
  readonly shows: Shown;
  /** True if bytes at the end of the body may be missing: then the client may learn less of its sender than the model. */
  readonly isCut: boolean;
}

/**
 * The end of one attempt:
 *
 * - `whole`: the response is complete.
 * - `lost`, `bystander`, `disowned`, `aborted`: ended after the bytes had left, before the response was complete.
 * - `too_large`: the response is larger than the client reads.
 * - `not_sent`, `refused`, `provider`: the service has not begun with the request.
 */
export interface Attempt {
  readonly end:
    | 'whole'
    | 'lost'
    | 'bystander'
    | 'disowned'
    | 'aborted'
    | 'too_large'
    | 'not_sent'
    | 'refused'
    | 'provider';
  /** Undefined if no byte of a response arrived. */
  readonly head: Head | undefined;
}

/** What the model knows of an operation. */
export interface Traits {
  readonly name: string;
  readonly read: boolean;
  readonly retrySafety: 'always' | 'keyed' | 'unkeyed';
  readonly declaresData: boolean;
  readonly needsOtp: boolean;
}

/** The worlds in which an attempt, or a call, can have ended as it did. */
export interface Worlds {
  readonly withEffect: boolean;
  readonly withoutEffect: boolean;
}

const NO_EFFECT: Worlds = { withEffect: false, withoutEffect: true };
const EFFECT: Worlds = { withEffect: true, withoutEffect: false };
const EITHER: Worlds = { withEffect: true, withoutEffect: true };

/** A proxy rejects a request with these before it passes the request on. */
const OF_PROXIES = new Set([400, 404, 405, 406, 411, 413, 414, 415, 417, 426, 431]);

/**
 * The table "What one response proves" of docs/calls/errors-and-retries.md as worlds, written independently of the client.
 *
 * @param isKeyGood True if the service has accepted the API key, so that a 401 is not about it.
 */
export function allowedBy(traits: Traits, { end, head }: Attempt, isKeyGood: boolean): Worlds {
  if (traits.read || end === 'not_sent' || end === 'refused' || end === 'provider') return NO_EFFECT;
  if (head === undefined) return EITHER;
  const { status, shows } = head;
  if (isSuccess(status)) {
    const proves = traits.declaresData ? shows === 'success' : shows !== 'other';
    return proves ? EFFECT : EITHER;
  }
  if (shows !== 'rejection') return OF_PROXIES.has(status) ? NO_EFFECT : EITHER;
  if (status === 401) return isKeyGood && !traits.needsOtp ? EITHER : NO_EFFECT;
  if (status === 501) return NO_EFFECT;
  return status >= 400 && status < 500 && status !== 408 && status !== 499 ? NO_EFFECT : EITHER;
}

/** A call has had no effect if none of its attempts had one. */
export const together = (worlds: readonly Worlds[]): Worlds => ({
  withEffect: worlds.some(({ withEffect }) => withEffect),
  withoutEffect: worlds.every(({ withoutEffect }) => withoutEffect),
});

/** The most certain outcome that all these worlds allow. */
export function outcomeIn({ withEffect, withoutEffect }: Worlds): 'not_applied' | 'unknown' | 'applied' {
  if (withEffect && withoutEffect) return 'unknown';
  return withEffect ? 'applied' : 'not_applied';
}

/** True if the service responded in its own form, and not with 401: then it has accepted the API key. */
export const provesKey = ({ head }: Attempt): boolean =>
  head !== undefined && head.status !== 401 && head.shows === (isSuccess(head.status) ? 'success' : 'rejection');

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** A body, and the length in characters from which it shows its sender. */
interface Sample {
  readonly text: string;
  readonly shows: Shown;
  readonly from: number;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const space = fc.constantFrom('', ' ', '\r\n  ');
const mark = fc.constantFrom('', '', '\uFEFF');

/** `{"data":…}`, also behind another member. */
const successes = fc
  .record({ mark, space, before: fc.constantFrom('', '"note":"ä",'), value: fc.json({ maxDepth: 1 }) })
  .map(({ mark, space, before, value }): Sample => {
    const head = `${mark}${space}{${space}${before}${space}"data"${space}:`;
    return { text: `${head}${value}}${space}`, shows: 'success', from: head.length };
  });

/** `{"error":{…}}` with its members in any order. */
const rejections = fc
  .record({
    mark,
    space,
    code: fc.constantFrom('conflict', 'a_ü', 'unauthenticated'),
    members: fc.shuffledSubarray([
      '"type":"request_error"',
      '"status":409',
      '"instance":"in-ä"',
      '"causes":[{"field":"a"}]',
    ]),
    place: fc.nat(4),
  })
  .map(({ mark, space, code, members, place }): Sample => {
    const parts = [...members];
    parts.splice(place, 0, `"code":${space}"${code}"`);
    const text = `${mark}${space}{"error":${space}{${parts.join(`,${space}`)}}}`;
    return { text, shows: 'rejection', from: text.indexOf(`"${code}"`) + 2 };
  });

/** JSON in which a proxy, or another service, tells of a success or an error. */
const foreignJson = fc
  .oneof(
    fc.constantFrom(
      ...['{}', '[]', 'null', '{"ok":true}', '{"Data":{"id":1}}', '{"result":{"data":1}}', '{"__proto__":{"data":1}}'],
      ...['{"error":"down"}', '{"error":{}}', '{"error":{"code":""}}', '{"error":{"code":403,"message":"no"}}'],
      ...['{"error":{"message":"upstream connect error","status":"PERMISSION_DENIED"}}', '{"error":[{"code":"a"}]}'],
      ...['{"errors":[{"code":"a"}]}', '{"error":{"details":{"code":"a"}}}', '{"code":"a","error":null}', '"data"'],
    ),
    fc.json({ maxDepth: 2 }).filter((text) => !/"(?:data|error)"/.test(text)),
  )
  .map((text): Sample => ({ text, shows: 'json', from: 2 }));

const texts = fc
  .constantFrom(
    ...['queued', '<html>{"data":1}</html>', '<!doctype html><p>Service unavailable: {"error":{"code":"a"}}'],
    ...[
      '[error] upstream failed',
      '{{ maintenance }}',
      String(html(503).body),
      'upstream connect error or disconnect/reset before headers',
      '\uFEFF<p>ä',
    ],
  )
  .map((text): Sample => ({ text, shows: 'other', from: 0 }));

const samples = fc.oneof(successes, rejections, foreignJson, texts);

type ArrivedBody = Omit<Head, 'status'>;

/** A body of which all has arrived. */
const wholeBodies: fc.Arbitrary<ArrivedBody> = fc.oneof(
  samples.map(({ text, shows }) => ({ body: bytesOf(text), shows, isCut: false })),
  fc.constant<ArrivedBody>({ body: bytesOf(''), shows: 'nothing', isCut: false }),
);

/** A body of which the first bytes have arrived. */
const beginnings: fc.Arbitrary<ArrivedBody> = fc.tuple(samples, fc.nat()).map(([sample, cut]) => {
  const all = bytesOf(sample.text);
  const size = cut % (all.length + 1);
  return { body: all.subarray(0, size), shows: shownByBeginning(sample, size), isCut: true };
});

const isEmpty = ({ body }: ArrivedBody): boolean => new TextDecoder().decode(body) === '';

function shownByBeginning({ text, shows, from }: Sample, size: number): Shown {
  if (size > 0 && size >= bytesOf(text.slice(0, from)).length) return shows;
  const isJson = shows !== 'other';
  // One bracket may also begin another text.
  return isJson && size > bytesOf(/^\s*./.exec(text)?.[0] ?? '').length ? 'json' : 'other';
}

const statuses = fc.oneof(
  fc.integer({ min: 100, max: 599 }),
  fc.constantFrom(200, 201, 202, 204, 400, 401, 401, 403, 404, 408, 409, 410, 429, 499, 500, 501, 502, 503, 504),
);

const headOf = (bodies: fc.Arbitrary<ArrivedBody>): fc.Arbitrary<Head> =>
  fc.tuple(statuses, bodies).map(([status, body]) => ({ status, ...body }));

const attempt = (ends: readonly Attempt['end'][], heads: fc.Arbitrary<Head | undefined>): fc.Arbitrary<Attempt> =>
  fc.record({ end: fc.constantFrom(...ends), head: heads });

const broken = fc.option(headOf(beginnings), { nil: undefined });

/** The service rejects the request in its own form. */
const rejected = rejections.map(({ text }): ArrivedBody => ({ body: bytesOf(text), shows: 'rejection', isCut: false }));

/** Any attempt, but for those over which time must pass. */
export const quickAttempts: fc.Arbitrary<Attempt> = fc.oneof(
  { weight: 4, arbitrary: attempt(['whole'], headOf(wholeBodies)) },
  { weight: 2, arbitrary: attempt(['whole'], headOf(rejected)) },
  // A proxy may have cut the body and have corrected its length.
  { weight: 1, arbitrary: attempt(['whole'], headOf(beginnings.filter((body) => !isEmpty(body)))) },
  { weight: 2, arbitrary: attempt(['lost', 'bystander', 'disowned', 'aborted'], broken) },
  { weight: 1, arbitrary: attempt(['too_large'], headOf(beginnings)) },
  { weight: 1, arbitrary: attempt(['not_sent', 'refused', 'provider'], fc.constant(undefined)) },
);

/** The service rejects the request, and says so in its own form. */
export const REJECTED: Attempt = {
  end: 'whole',
  head: { status: 400, body: bytesOf(String(refuse(400, 'bad_request').body)), shows: 'rejection', isCut: false },
};
