import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../src/sandbox/index.js';
import type { CallPlan } from '../plan/plan.js';
import type { CallEnd, EndError, Evidence, WireRequest } from './evidence.js';
import { FIGURES, type Figure, growthOf, judge } from './judge.js';

const KEY = '5e0b1d5a-6f0c-4c43-8e3a-9f6d2f0a7b11';

const plan = (id: number, change: Partial<CallPlan> = {}): CallPlan => ({
  id,
  kind: 'funds.withdrawalAddresses.save',
  subject: id,
  idempotencyKey: undefined,
  settles: false,
  maxRetries: 3,
  timeout: 10_000,
  attemptTimeout: 500,
  signal: 'none',
  abortAfter: undefined,
  ...change,
});

const end = (id: number, change: Partial<CallEnd> = {}): CallEnd => ({
  id,
  tag: `${id}.0`,
  ok: true,
  attempts: 1,
  idempotencyKey: KEY,
  foreign: undefined,
  error: undefined,
  ...change,
});

const failed = (id: number, change: Partial<EndError>): CallEnd =>
  end(id, {
    ok: false,
    error: {
      name: 'ConnectionError',
      message: 'broken',
      partner: true,
      outcome: 'unknown',
      status: undefined,
      failures: [],
      cause: undefined,
      ...change,
    },
  });

const request = (id: number, nonce: string, change: Partial<WireRequest> = {}): WireRequest => ({
  connection: 0,
  method: 'POST',
  path: '/v1/things',
  apiKey: 'pk_1',
  nonce,
  key: KEY,
  tag: `${id}.0`,
  at: 0,
  ...change,
});

const judged = (nonce: string, verdict: string, change: Partial<JournalEntry> = {}): JournalEntry => ({
  kind: 'request',
  seq: 1,
  real: 0,
  instance: undefined,
  apiKey: 'pk_1',
  account: undefined,
  operation: 'funds.withdrawalAddresses.save',
  method: 'POST',
  path: '/v1/things',
  nonce,
  key: KEY,
  verdict,
  causes: [],
  fault: undefined,
  faultId: undefined,
  status: 200,
  at: 0,
  ms: 1,
  latency: 0,
  ...change,
});

/** One write that succeeded, told as it was; and whatever is changed of it. */
function evidence(change: Partial<Evidence> = {}): Evidence {
  return {
    plans: [plan(0)],
    ends: [end(0)],
    excused: new Set(),
    effects: new Map([['effect 0', 1]]),
    effectOf: ({ kind, subject }) => (kind === 'users.get' ? undefined : `effect ${subject}`),
    journal: [judged('1', 'accepted')],
    wire: [request(0, '1')],
    reports: [{ process: 0, left: [], heap: [] }],
    incidents: [],
    left: [],
    faults: new Map([['reset up', 1]]),
    rules: { refusals: 'never', providerFailures: false },
    ...change,
  };
}

/** The figures that are not 0. */
const wrong = (change: Partial<Evidence>): Figure[] => [
  ...new Set(judge(evidence(change)).map(({ figure }) => figure)),
];

const nothing = new Map<string, number>();

const AWAY = { refusals: 'never', providerFailures: true } as const;
const OTHER_KEY = '5e0b1d5a-6f0c-4c43-8e3a-9f6d2f0a7b12';
const twice = [end(0, { attempts: 2 })];
const doubtful = [failed(0, { outcome: 'unknown' })];
const refusal = [failed(0, { name: 'UnauthenticatedError', status: 401, outcome: 'unknown' })];
const withoutRetries = { refusals: 'without retries', providerFailures: false } as const;
const ofTwoApiKeys = [judged('1', 'accepted'), judged('2', 'accepted', { apiKey: 'pk_2' })];
const keyedTwice = [judged('1', 'accepted'), judged('2', 'accepted', { key: KEY.toUpperCase() })];

/** What the judge finds when one thing is changed. */
type Row = [title: string, change: Partial<Evidence>, figures: Figure[]];

const finds = (_title: string, change: Partial<Evidence>, figures: readonly Figure[]) => {
  expect(wrong(change)).toEqual(figures);
};

it.each<Row>([
  ['finds nothing where callers were told what happened', {}, []],
  ['an answer is the call’s own', { ends: [end(0, { foreign: '{"key":"saved 7"}' })] }, ['wrong answer']],
])('%s', finds);

describe('effects', () => {
  const applied = { ends: [failed(0, { outcome: 'applied' })], effects: nothing };
  it.each<Row>([
    ['doubled: the state holds it twice', { effects: new Map([['effect 0', 2]]) }, ['doubled']],
    ['doubled: its key was accepted for two API keys', { journal: ofTwoApiKeys }, ['doubled']],
    ['doubled: its key was accepted twice, where the state cannot show it', { journal: keyedTwice }, ['doubled']],
    ['lost: the call succeeded, and the effect is not there', { effects: nothing }, ['lost', 'proved nothing']],
    [
      'lost and told wrongly: the outcome is applied, and the effect is not there',
      applied,
      ['lost', 'wrong outcome', 'proved nothing'],
    ],
    [
      'told wrongly: the outcome is not_applied, and the effect is there',
      { ends: [failed(0, { outcome: 'not_applied' })] },
      ['wrong outcome'],
    ],
    ['are in doubt where the outcome is unknown, if they are there', { ends: doubtful }, []],
    [
      'are in doubt where it is unknown, if they are not there',
      { ends: doubtful, effects: nothing },
      ['proved nothing'],
    ],
  ])('%s', finds);
});

describe('two callers with one key', () => {
  const twins = { plans: [plan(0), plan(1, { subject: 0 })], wire: [request(0, '1'), request(1, '2')] };
  const refused = failed(1, { name: 'AbortedError', outcome: 'not_applied' });
  const journal = [judged('1', 'accepted'), judged('2', 'replayed')];
  const byOther = [judged('2', 'fault_after'), judged('1', 'replayed')];
  it.each<Row>([
    ['have one effect together', { ...twins, ends: [end(0), end(1)], journal }, []],
    ['are each told of their own requests', { ...twins, ends: [end(0), refused], journal }, []],
    [
      'are told wrongly when the effect was that of a request which is said not to have had it',
      { ...twins, ends: [end(0), refused], journal: byOther },
      ['wrong outcome'],
    ],
  ])('%s', finds);
});

describe('a trade', () => {
  const plans = [plan(0, { kind: 'trade' })];
  const executing = { path: '/v1/accounts/A/quotes/Q/execute', key: OTHER_KEY };
  const wire = [request(0, '1'), request(0, '2', executing)];
  const journal = [judged('1', 'accepted'), judged('2', 'accepted', executing)];
  const ends = [failed(0, { name: 'AbortedError', outcome: 'not_applied' })];
  it.each<Row>([
    ['may send requests with several keys', { plans, wire, journal, ends: [end(0, { attempts: undefined })] }, []],
    ['is told wrongly when its own execution had the effect', { plans, wire, journal, ends }, ['wrong outcome']],
    ['is told nothing of the execution of another', { plans, wire: [request(0, '1')], journal, ends }, []],
  ])('%s', finds);
});

describe('a call that a restarted process makes again', () => {
  const wire = [request(0, '1'), request(0, '2', { tag: '0.1' })];
  const ends = [{ ...failed(0, { name: 'ProviderError', outcome: 'not_applied' }), tag: '0.1' }];
  const again = { wire, ends, rules: AWAY };
  it.each<Row>([
    ['is told nothing of the requests of the process that was killed', again, []],
    ['is told of its own requests', { ...again, journal: [judged('2', 'accepted')] }, ['wrong outcome']],
  ])('%s', finds);
});

describe('refused nonces', () => {
  const unrepeated = [plan(0, { maxRetries: 0 })];
  it.each<Row>([
    ['reach no caller', { ends: refusal }, ['refused nonces']],
    [
      'may reach callers where no order is asked for',
      { ends: refusal, rules: { refusals: 'allowed', providerFailures: false } },
      [],
    ],
    ['reach none that asks for repeats', { ends: refusal, rules: withoutRetries }, ['refused nonces']],
    [
      'may reach those that ask for no repeats, where the phase says so',
      { ends: refusal, rules: withoutRetries, plans: unrepeated },
      [],
    ],
  ])('%s', finds);
});

describe('requests', () => {
  const sent = (...wire: WireRequest[]) => ({ ends: twice, wire });
  it.each<Row>([
    ['have each nonce of an API key once', sent(request(0, '1'), request(0, '1')), ['nonces twice']],
    ['may have a nonce of another API key', sent(request(0, '1'), request(0, '1', { apiKey: 'pk_2' })), []],
    ['have the key that the caller is told of', sent(request(0, '1', { key: OTHER_KEY })), ['keys changed']],
    ['may have it in capitals', sent(request(0, '1'), request(0, '2', { key: KEY.toUpperCase() })), []],
    ['are not without the key', { wire: [request(0, '1', { key: undefined })] }, ['keys changed']],
    ['are no more than the attempts', { wire: [request(0, '1'), request(0, '2')] }, ['unasked attempts']],
  ])('%s', finds);
});

describe('errors', () => {
  it.each([
    ['of another class', { name: 'TypeError', partner: false, outcome: undefined }],
    ['of no class of their own', { name: 'PartnerError' }],
    ['about options that are right', { name: 'ConfigurationError' }],
    ['about input that is right', { name: 'RequestValidationError' }],
    ['about a nonce source that nobody took away', { name: 'ProviderError' }],
  ])('are untyped or out of place: %s', (_what, error) => {
    expect(wrong({ ends: [failed(0, error)] })).toEqual(['untyped errors']);
  });

  const plans = [plan(0, { kind: 'users.get' }), plan(1)];
  const effects = new Map([['effect 1', 1]]);
  it.each<Row>([
    [
      'may be those of a nonce source that was taken away',
      { ends: [failed(0, { name: 'ProviderError' })], rules: AWAY },
      [],
    ],
    ['of a read say that nothing was applied', { plans, effects, ends: [...doubtful, end(1)] }, ['wrong outcome']],
  ])('%s', finds);
});

describe('calls', () => {
  it.each<Row>([
    ['end', { ends: [] }, ['never ended']],
    ['need not have been heard of when their process was killed', { ends: [], excused: new Set([0]) }, []],
  ])('%s', finds);
});

describe('processes', () => {
  const heap = (bytesAt: (sample: number) => number) =>
    Array.from({ length: 9 }, (_, sample) => ({ calls: sample * 500, bytes: bytesAt(sample) }));
  const growing = heap((sample) => 20e6 + sample * 500 * 900);
  it.each<Row>([
    ['have no incidents', { incidents: ['unhandledRejection: Error: nobody listens'] }, ['incidents']],
    ['leave nothing over', { reports: [{ process: 0, left: ['Timeout'], heap: [] }] }, ['left over']],
    ['have a parent that leaves nothing over', { left: ['1 open connections at the link'] }, ['left over']],
    ['do not grow with their calls', { reports: [{ process: 0, left: [], heap: growing }] }, ['memory grown']],
  ])('%s', finds);

  it.each([
    ['may warm up', heap((sample) => (sample < 3 ? 10e6 + sample * 3e6 : 20e6 + (sample % 2) * 200_000))],
    ['may use less and less', heap((sample) => 20e6 - sample * 1e6)],
    ['are not judged by a single sample', [{ calls: 0, bytes: 1e9 }]],
    ['are not judged by one sample that is out of line', heap((sample) => (sample === 8 ? 30e6 : 20e6))],
  ])('%s', (_title, samples) => {
    expect(growthOf(samples)).toBe(undefined);
  });
});

describe('a run proves nothing', () => {
  it.each<Row>([
    ['without faults', { faults: new Map() }, ['proved nothing']],
    ['without effects', { ends: [failed(0, {})], effects: nothing }, ['proved nothing']],
    ['without requests', { journal: [] }, ['proved nothing']],
  ])('%s', finds);
});

it('has a forged case for every figure', () => {
  const seen = new Set<Figure>([
    ...wrong({ effects: new Map([['effect 0', 2]]) }),
    ...wrong({ ends: [failed(0, { outcome: 'applied' })], effects: nothing }),
    ...wrong({ ends: [failed(0, { status: 401, partner: false })], wire: [request(0, '1'), request(0, '1')] }),
    ...wrong({ ends: [end(0, { foreign: '{}' })] }),
    ...wrong({ wire: [request(0, '1', { key: undefined })] }),
    ...wrong({ ends: [], incidents: [''], left: [''] }),
    ...wrong({ reports: [{ process: 0, left: [], heap: [0, 0, 1e9].map((bytes) => ({ calls: 0, bytes })) }] }),
  ]);
  expect([...seen].sort()).toEqual([...FIGURES].sort());
});
