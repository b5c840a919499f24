import { describe, expect, it } from 'vitest';
import {
  ConnectionError,
  NotFoundError,
  type PartnerError,
  ResponseValidationError,
  TimeoutError,
} from '../../../src/index.js';
import {
  DELETE,
  expectUniqueNonces,
  failure,
  GET,
  KEYED,
  type Kind,
  type PerCall,
  REPEATABLE,
  type Scene,
  type Setup,
  scene,
  UNKEYED,
  WAYS,
} from '../../support/scene.js';
import { type Answer, json, status } from '../../support/service.js';

const now = { 'retry-after': '0' };
const lost: Answer = { fault: 'reset' };
const whole = json(200, { data: { key: 'cold', tag: null, more: 'x'.repeat(200) } });
const cut: Answer = { ...whole, fault: 'cut' };
const stall: Answer = { ...whole, fault: 'stall' };
const silent: Answer = { fault: 'silent' };
const wrongShape = json(200, { data: { key: 7, id: 7 } });
const html: Answer = { headers: { 'content-type': 'text/html' }, body: '<html>hello</html>' };
const large = json(200, { data: { key: 'x'.repeat(5_000), tag: null } });

type ErrorClass = new (...parts: never[]) => PartnerError;

interface Row {
  readonly title: string;
  readonly kind: Kind;
  readonly answers: readonly Answer[];
  readonly error: ErrorClass | number;
  readonly outcome: 'not_applied' | 'applied' | 'unknown';
  readonly reasons: readonly string[];
  readonly options?: PerCall;
  readonly client?: Setup['client'];
  /** After the last scripted answer nothing listens any more. */
  readonly thenClosed?: boolean;
}

const quick = { attemptTimeout: 150 };
const rows: readonly Row[] = [
  // A later refusal takes nothing back.
  {
    title: '503, then 400',
    kind: KEYED,
    answers: [status(503, now), status(400)],
    error: 400,
    outcome: 'unknown',
    reasons: ['status', 'status'],
  },
  {
    title: '503, then 409',
    kind: KEYED,
    answers: [status(503, now), status(409)],
    error: 409,
    outcome: 'unknown',
    reasons: ['status', 'status'],
  },
  {
    title: '504, then 401',
    kind: KEYED,
    answers: [status(504, now), status(401)],
    error: 401,
    outcome: 'unknown',
    reasons: ['status', 'status'],
  },
  {
    title: '503, then 501',
    kind: REPEATABLE,
    answers: [status(503, now), status(501)],
    error: 501,
    outcome: 'unknown',
    reasons: ['status', 'status'],
  },
  {
    title: 'lost, then 400',
    kind: KEYED,
    answers: [lost, status(400)],
    error: 400,
    outcome: 'unknown',
    reasons: ['lost', 'status'],
  },
  {
    title: 'too slow, then 403',
    kind: KEYED,
    answers: [silent, status(403)],
    error: 403,
    outcome: 'unknown',
    reasons: ['too_slow', 'status'],
    client: quick,
  },
  {
    title: 'reset, then 404',
    kind: DELETE,
    answers: [lost, status(404)],
    error: NotFoundError,
    outcome: 'unknown',
    reasons: ['lost', 'status'],
  },
  {
    title: '404 at once',
    kind: DELETE,
    answers: [status(404)],
    error: NotFoundError,
    outcome: 'not_applied',
    reasons: ['status'],
  },
  {
    title: 'lost, then 429s',
    kind: KEYED,
    answers: [lost, status(429, now), status(429, now), status(429, now)],
    error: 429,
    outcome: 'unknown',
    reasons: ['lost', 'status', 'status', 'status'],
  },
  {
    title: '429, then 400',
    kind: KEYED,
    answers: [status(429, now), status(400)],
    error: 400,
    outcome: 'not_applied',
    reasons: ['status', 'status'],
  },
  {
    title: 'four 429s',
    kind: KEYED,
    answers: Array.from({ length: 4 }, () => status(429, now)),
    error: 429,
    outcome: 'not_applied',
    reasons: ['status', 'status', 'status', 'status'],
  },
  {
    title: '429, then 503',
    kind: UNKEYED,
    answers: [status(429, now), status(503)],
    error: 503,
    outcome: 'unknown',
    reasons: ['status', 'status'],
  },
  {
    title: 'lost, then refused',
    kind: KEYED,
    answers: [lost],
    thenClosed: true,
    error: ConnectionError,
    outcome: 'unknown',
    reasons: ['lost', 'not_sent', 'not_sent', 'not_sent'],
  },
  {
    title: '503, then refused',
    kind: KEYED,
    answers: [status(503, now)],
    thenClosed: true,
    error: ConnectionError,
    outcome: 'unknown',
    reasons: ['status', 'not_sent', 'not_sent', 'not_sent'],
  },
  {
    title: '429, then refused',
    kind: KEYED,
    answers: [status(429, now)],
    thenClosed: true,
    error: ConnectionError,
    outcome: 'not_applied',
    reasons: ['status', 'not_sent', 'not_sent', 'not_sent'],
  },
  // A 2xx head says yes, whatever comes after it.
  {
    title: '2xx head cut, then refused',
    kind: KEYED,
    answers: [cut],
    thenClosed: true,
    error: ConnectionError,
    outcome: 'applied',
    reasons: ['lost', 'not_sent', 'not_sent', 'not_sent'],
  },
  {
    title: '2xx head cut four times',
    kind: KEYED,
    answers: [cut, cut, cut, cut],
    error: ConnectionError,
    outcome: 'applied',
    reasons: ['lost', 'lost', 'lost', 'lost'],
  },
  {
    title: '2xx head cut, then 409',
    kind: KEYED,
    answers: [cut, status(409)],
    error: 409,
    outcome: 'applied',
    reasons: ['lost', 'status'],
  },
  {
    title: '2xx body too slow four times',
    kind: KEYED,
    answers: [stall, stall, stall, stall],
    error: TimeoutError,
    outcome: 'applied',
    reasons: ['too_slow', 'too_slow', 'too_slow', 'too_slow'],
    client: quick,
  },
  {
    title: '2xx head cut',
    kind: UNKEYED,
    answers: [cut],
    error: ConnectionError,
    outcome: 'applied',
    reasons: ['lost'],
  },
  {
    title: '2xx body too slow',
    kind: UNKEYED,
    answers: [stall],
    error: TimeoutError,
    outcome: 'applied',
    reasons: ['too_slow'],
    client: quick,
  },
  {
    title: '2xx of a wrong shape',
    kind: KEYED,
    answers: [wrongShape],
    error: ResponseValidationError,
    outcome: 'applied',
    reasons: ['unreadable'],
  },
  {
    title: '2xx that is no JSON',
    kind: KEYED,
    answers: [html],
    error: ResponseValidationError,
    outcome: 'applied',
    reasons: ['unreadable'],
  },
  {
    title: '2xx without a body',
    kind: KEYED,
    answers: [{ status: 200 }],
    error: ResponseValidationError,
    outcome: 'applied',
    reasons: ['unreadable'],
  },
  {
    title: '2xx too large',
    kind: KEYED,
    answers: [large],
    error: ResponseValidationError,
    outcome: 'applied',
    reasons: ['unreadable'],
    client: { maxResponseBytes: 1_000 },
  },
  {
    title: '2xx too large',
    kind: UNKEYED,
    answers: [large],
    error: ResponseValidationError,
    outcome: 'applied',
    reasons: ['unreadable'],
    client: { maxResponseBytes: 1_000 },
  },
  {
    title: '503, then 2xx of a wrong shape',
    kind: KEYED,
    answers: [status(503, now), wrongShape],
    error: ResponseValidationError,
    outcome: 'applied',
    reasons: ['status', 'unreadable'],
  },
  // A refusal whose body breaks off is still that refusal.
  {
    title: '400 whose body is cut',
    kind: KEYED,
    answers: [{ ...status(400), fault: 'cut' }],
    error: 400,
    outcome: 'not_applied',
    reasons: ['status'],
  },
  {
    title: '400 whose body never ends',
    kind: KEYED,
    answers: [{ ...status(400), fault: 'stall' }],
    error: 400,
    outcome: 'not_applied',
    reasons: ['status'],
    client: quick,
  },
  {
    title: '500 whose body is cut',
    kind: UNKEYED,
    answers: [{ ...status(500), fault: 'cut' }],
    error: 500,
    outcome: 'unknown',
    reasons: ['status'],
  },
  {
    title: '503 whose body is cut, then 409',
    kind: KEYED,
    answers: [{ ...status(503), fault: 'cut' }, status(409)],
    error: 409,
    outcome: 'unknown',
    reasons: ['status', 'status'],
  },
  {
    title: '429 whose body is cut, then 409',
    kind: UNKEYED,
    answers: [{ ...status(429), fault: 'cut' }, status(409)],
    error: 409,
    outcome: 'not_applied',
    reasons: ['status', 'status'],
  },
  // Reads change nothing.
  {
    title: '2xx of a wrong shape',
    kind: GET,
    answers: [wrongShape],
    error: ResponseValidationError,
    outcome: 'not_applied',
    reasons: ['unreadable'],
  },
  {
    title: 'lost, then 404',
    kind: GET,
    answers: [lost, status(404)],
    error: 404,
    outcome: 'not_applied',
    reasons: ['lost', 'status'],
  },
  {
    title: '2xx head cut four times',
    kind: GET,
    answers: [cut, cut, cut, cut],
    error: ConnectionError,
    outcome: 'not_applied',
    reasons: ['lost', 'lost', 'lost', 'lost'],
  },
  {
    title: 'lost four times',
    kind: REPEATABLE,
    answers: [lost, lost, lost, lost],
    error: ConnectionError,
    outcome: 'unknown',
    reasons: ['lost', 'lost', 'lost', 'lost'],
  },
  {
    title: 'no 2xx ever, 500',
    kind: KEYED,
    answers: [status(500)],
    error: 500,
    outcome: 'unknown',
    reasons: ['status'],
  },
];

describe.concurrent.each(WAYS)('the outcome belongs to the call, not to its last attempt (%s)', (over) => {
  for (const row of rows) {
    it(`${row.kind.name}: ${row.title} → ${row.outcome}`, () =>
      scene({ over, answers: row.answers, client: row.client ?? {} }, async ({ service, client }) => {
        if (row.thenClosed) closeAfter(service, row.answers);
        const error = await failure(row.kind.invoke(client, row.options));
        if (typeof row.error === 'number') expect(error).toMatchObject({ status: row.error });
        else expect(error).toBeInstanceOf(row.error);
        expect(error.outcome).toBe(row.outcome);
        expect(error.attempts.failures.map(({ reason }) => reason)).toEqual(row.reasons);
        expect(error.attempts.count).toBe(row.reasons.length);
        expect(service.requests).toHaveLength(row.reasons.filter((reason) => reason !== 'not_sent').length);
        expectUniqueNonces(service.requests);
        expect(error.idempotencyKey).toBe(service.requests[0]?.key);
      }));
  }

  it('a 2xx after a doubtful attempt is a success', () =>
    scene({ over, answers: [lost, status(503, now), cut] }, async ({ client }) => {
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
