import { describe, expect, it } from 'vitest';
import {
  ConnectionError,
  NotFoundError,
  type PartnerError,
  TimeoutError,
  ResponseValidationError as Unreadable,
} from '../../../src/index.js';
import {
  DELETE,
  expectUniqueNonces,
  failure,
  GET,
  KEYED,
  type Kind,
  REPEATABLE,
  type Scene,
  type Setup,
  scene,
  UNKEYED,
  WAYS,
} from '../../support/scene.js';
import { type Answer, json, status } from '../../support/service.js';

const now = { 'retry-after': '0' };
const busy = status(429, now);
const down = status(503, now);
const lost: Answer = { fault: 'reset' };
const whole = json(200, { data: { key: 'cold', tag: null, more: 'x'.repeat(200) } });
const cut: Answer = { ...whole, fault: 'cut' };
const silent: Answer = { fault: 'silent' };
const wrongShape = json(200, { data: { key: [], id: [] } });
const html: Answer = { headers: { 'content-type': 'text/html' }, body: '<html>hello</html>' };
const large = json(200, { data: { key: 'x'.repeat(5_000), tag: null } });

type ErrorClass = new (...parts: never[]) => PartnerError;

/** `more`: options of the client; or after the last answer nothing listens any more. */
type Row = readonly [
  kind: Kind,
  title: string,
  answers: readonly Answer[],
  error: ErrorClass | number,
  outcome: 'not_applied' | 'applied' | 'unknown',
  reasons: string,
  more?: Setup['client'] | typeof gone,
];

const four = (answer: Answer) => [answer, answer, answer, answer];
const cutShort = (number: number): Answer => ({ ...status(number), fault: 'cut' });
const gone = 'gone';
const unreadable = (attempts: number) => Array(attempts).fill('unreadable').join(' ');
const cutBehindCode: Answer = { ...json(409, { error: { code: 'conflict', type: 'x'.repeat(100) } }), fault: 'cut' };
/** Half of one byte is none. */
const headAlone: Answer = { ...json(200, 1), fault: 'cut' };
const nothingSentAfter = 'lost not_sent not_sent not_sent';
const slowHtml: Answer = { ...html, fault: 'stall' };
const largeHtml: Answer = { ...html, body: `<html>${'x'.repeat(5_000)}` };
const brokenData: Answer = { headers: { 'content-type': 'application/json' }, body: '{"data":{"key":"co' };
const quick = { attemptTimeout: 600 };
const small = { maxResponseBytes: 1_000 };
/** What more than one response, or a part of one, proves: the table of retries has what one alone does. */
const rows: readonly Row[] = [
  // A later refusal takes nothing back.
  [KEYED, '503, then 400', [down, status(400)], 400, 'unknown', 'status status'],
  [KEYED, '503, then 409', [down, status(409)], 409, 'unknown', 'status status'],
  [KEYED, '504, then 401s', [status(504, now), status(401), status(401)], 401, 'unknown', 'status status status'],
  [REPEATABLE, '503, then 501', [down, status(501)], 501, 'unknown', 'status status'],
  [KEYED, 'lost, then 400', [lost, status(400)], 400, 'unknown', 'lost status'],
  [KEYED, 'too slow, then 403', [silent, status(403)], 403, 'unknown', 'too_slow status', quick],
  [DELETE, 'reset, then 404', [lost, status(404)], NotFoundError, 'unknown', 'lost status'],
  [KEYED, 'lost, then 429s', [lost, busy, busy, busy], 429, 'unknown', 'lost status status status'],
  [KEYED, '429, then 400', [busy, status(400)], 400, 'not_applied', 'status status'],
  [UNKEYED, '429, then 503', [busy, status(503)], 503, 'unknown', 'status status'],
  [KEYED, 'lost, then refused', [lost], ConnectionError, 'unknown', 'lost not_sent not_sent not_sent', gone],
  [KEYED, '503, then refused', [down], ConnectionError, 'unknown', 'status not_sent not_sent not_sent', gone],
  [KEYED, '429, then refused', [busy], ConnectionError, 'not_applied', 'status not_sent not_sent not_sent', gone],
  // A 2xx of the service says yes, whatever comes after it.
  [KEYED, '2xx head cut, then refused', [cut], ConnectionError, 'applied', 'lost not_sent not_sent not_sent', gone],
  [KEYED, '2xx head cut, then 409', [cut, status(409)], 409, 'applied', 'lost status'],
  [KEYED, '2xx of a wrong shape', [wrongShape], Unreadable, 'applied', 'unreadable'],
  // A 2xx that a proxy may have given proves nothing.
  [KEYED, '2xx without a body, four times', four({ status: 200 }), Unreadable, 'unknown', unreadable(4)],
  [KEYED, '204, four times', four({ status: 204 }), Unreadable, 'unknown', unreadable(4)],
  [KEYED, '2xx without data, four times', four(json(200, { ok: true })), Unreadable, 'unknown', unreadable(4)],
  [KEYED, '2xx that is null, four times', four(json(200, null)), Unreadable, 'unknown', unreadable(4)],
  [KEYED, '202 in text, four times', four({ status: 202, body: 'queued' }), Unreadable, 'unknown', unreadable(4)],
  [KEYED, '2xx that is no JSON, then 409', [html, status(409)], 409, 'unknown', 'unreadable status'],
  [KEYED, '2xx head, then nothing, then refused', [headAlone], ConnectionError, 'unknown', nothingSentAfter, gone],
  [
    KEYED,
    '2xx of HTML, too slow',
    four(slowHtml),
    TimeoutError,
    'unknown',
    'too_slow too_slow too_slow too_slow',
    quick,
  ],
  [KEYED, '2xx of HTML, too large', [largeHtml], Unreadable, 'unknown', 'unreadable', small],
  [KEYED, '2xx whose data breaks off', [brokenData], Unreadable, 'applied', 'unreadable'],
  [KEYED, '2xx whose data is null', [json(200, { data: null })], Unreadable, 'applied', 'unreadable'],
  [UNKEYED, '2xx head, then nothing', [headAlone], ConnectionError, 'unknown', 'lost'],
  [UNKEYED, '2xx of HTML, cut', [{ ...html, fault: 'cut' }], ConnectionError, 'unknown', 'lost'],
  [DELETE, '2xx in text, then 404', [{ body: 'gone' }, status(404)], 404, 'unknown', 'unreadable status'],
  [KEYED, '2xx too large', [large], Unreadable, 'applied', 'unreadable', small],
  [UNKEYED, '2xx too large', [large], Unreadable, 'applied', 'unreadable', small],
  [KEYED, '503, then 2xx of a wrong shape', [down, wrongShape], Unreadable, 'applied', 'status unreadable'],
  // A refusal whose body breaks off is still that refusal.
  [KEYED, '400 whose body is cut', [cutShort(400)], 400, 'not_applied', 'status'],
  [KEYED, '400 whose body never ends', [{ ...status(400), fault: 'stall' }], 400, 'not_applied', 'status', quick],
  [UNKEYED, '500 whose body is cut', [cutShort(500)], 500, 'unknown', 'status'],
  [KEYED, '503 whose body is cut, then 409', [cutShort(503), status(409)], 409, 'unknown', 'status status'],
  [UNKEYED, '409 cut behind its code', [cutBehindCode], 409, 'not_applied', 'status'],
  // A proxy also responds with an object `error`, so without its code a rejection proves nothing.
  [UNKEYED, '409 cut before its code', [cutShort(409)], 409, 'unknown', 'status'],
  [UNKEYED, '429 whose body is cut, then 409', [cutShort(429), status(409)], 409, 'unknown', 'status status'],
  // A bracket may be the beginning of JSON, and of another text.
  [UNKEYED, '2xx cut behind a bracket', [{ body: '[error]', fault: 'cut' }], ConnectionError, 'unknown', 'lost'],
  [
    UNKEYED,
    '2xx cut behind a member',
    [{ body: '{"ok":true,"more":"..."}', fault: 'cut' }],
    ConnectionError,
    'applied',
    'lost',
  ],
  // Reads change nothing.
  [GET, '2xx of a wrong shape', [wrongShape], Unreadable, 'not_applied', 'unreadable'],
  [GET, '2xx without a body, then 404', [{ status: 200 }, status(404)], 404, 'not_applied', 'unreadable status'],
  [
    GET,
    '2xx that is no JSON, then of a wrong shape',
    [html, wrongShape],
    Unreadable,
    'not_applied',
    'unreadable unreadable',
  ],
  [GET, 'lost, then 404', [lost, status(404)], 404, 'not_applied', 'lost status'],
];

describe.concurrent.each(WAYS)('the outcome belongs to the call, not to its last attempt (%s)', (over) => {
  for (const [kind, title, answers, expected, outcome, reasons, more] of rows) {
    it(`${kind.name}: ${title} → ${outcome}`, () =>
      scene({ over, answers, client: more === gone ? {} : (more ?? {}) }, async ({ service, client }) => {
        if (more === gone) closeAfter(service, answers);
        const error = await failure(kind.invoke(client));
        if (typeof expected === 'number') expect(error).toMatchObject({ response: { status: expected } });
        else expect(error).toBeInstanceOf(expected);
        expect(error.outcome).toBe(outcome);
        const { failures, count } = error.attempts;
        expect(failures.map(({ reason }) => reason).join(' ')).toBe(reasons);
        expect(count).toBe(failures.length);
        expect(service.requests).toHaveLength(failures.filter(({ reason }) => reason !== 'not_sent').length);
        expectUniqueNonces(service.requests);
        expect(error.idempotencyKey).toBe(service.requests[0]?.key);
      }));
  }

  it.each([
    ['an empty body', DELETE, { status: 200 }],
    ['JSON of any form', DELETE, json(200, { ok: true })],
    ['an empty body', UNKEYED, { status: 202 }],
    ['JSON of any form', UNKEYED, json(200, { ok: true })],
  ] as const)('a 2xx with %s is a success of an operation that declares no data', (_, kind, answer) =>
    scene({ over, answers: [answer] }, async ({ service, client }) => {
      await kind.invoke(client);
      expect(service.requests).toHaveLength(1);
    }),
  );

  it.each([
    ['HTML', html],
    ['no body', { status: 204 }],
    ['JSON without data', json(200, { ok: true })],
  ] as const)('a keyed write is retried after a 2xx with %s, as after a 502, in every mode', (_, answer) =>
    scene({ over }, async ({ service, connect }) => {
      for (const responseValidation of ['tolerant', 'strict', 'warn'] as const) {
        service.answers(answer);
        const { response } = await KEYED.invoke(connect({ responseValidation })).withResponse();
        expect(response.attempts).toBe(2);
        service.script = () => answer;
        const client = connect({ responseValidation, maxRetries: 0 });
        await failure(KEYED.invoke(client), Unreadable, { outcome: 'unknown' });
      }
    }),
  );

  it('a 2xx after a doubtful attempt is a success', () =>
    scene({ over, answers: [lost, down, cut] }, async ({ client }) => {
      expect((await KEYED.invoke(client).withResponse()).response.attempts).toBe(4);
    }));
});

/** The service goes away while it gives the last of the scripted answers. */
function closeAfter(service: Scene['service'], answers: readonly Answer[]): void {
  let given = 0;
  service.script = async () => {
    const answer = answers[given++] ?? {};
    if (given >= answers.length) service.stopListening();
    return { ...answer, headers: { connection: 'close', ...answer.headers } };
  };
}
