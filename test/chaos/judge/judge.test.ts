import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../src/sandbox/index.js';
import type { CallPlan } from '../plan/plan.js';
import type { CallEnd, EndError, Evidence, WireRequest } from './evidence.js';
import { FIGURES, type Figure, growthOf, judge } from './judge.js';

const KEY = '5e0b1d5a-6f0c-4c43-8e3a-9f6d2f0a7b11';

const plan = (id: number, change: Partial<CallPlan> = {}): CallPlan => ({
  id,
  kind: 'save',
  subject: id,
  idempotencyKey: undefined,
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
  operation: 'funds.withdrawalAddresses.save',
  method: 'POST',
  path: '/v1/things',
  nonce,
  key: KEY,
  verdict,
  causes: [],
  fault: undefined,
  status: 200,
  at: 0,
  ms: 1,
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

it('finds nothing where callers were told what happened', () => {
  expect(judge(evidence())).toEqual([]);
});

describe('effects', () => {
  it('doubled: the state holds it twice', () => {
    expect(wrong({ effects: new Map([['effect 0', 2]]) })).toEqual(['doubled']);
  });

  it('doubled: its key was accepted twice, where the state cannot show it', () => {
    const journal = [judged('1', 'accepted'), judged('2', 'accepted', { key: KEY.toUpperCase() })];
    expect(wrong({ journal })).toEqual(['doubled']);
  });

  it('lost: the call succeeded, and the effect is not there', () => {
    expect(wrong({ effects: nothing })).toEqual(['lost', 'proved nothing']);
  });

  it('lost and told wrongly: the outcome is applied, and the effect is not there', () => {
    const change = { ends: [failed(0, { outcome: 'applied' })], effects: nothing };
    expect(wrong(change)).toEqual(['lost', 'wrong outcome', 'proved nothing']);
  });

  it('told wrongly: the outcome is not_applied, and the effect is there', () => {
    expect(wrong({ ends: [failed(0, { outcome: 'not_applied' })] })).toEqual(['wrong outcome']);
  });

  it('are in doubt where the outcome is unknown, whether they are there or not', () => {
    expect(wrong({ ends: [failed(0, { outcome: 'unknown' })] })).toEqual([]);
    expect(wrong({ ends: [failed(0, { outcome: 'unknown' })], effects: nothing })).toEqual(['proved nothing']);
  });
});

it('an answer is the call’s own', () => {
  expect(wrong({ ends: [end(0, { foreign: '{"key":"saved 7"}' })] })).toEqual(['wrong answer']);
});

describe('two callers with one key', () => {
  const twins = {
    plans: [plan(0), plan(1, { subject: 0 })],
    wire: [request(0, '1'), request(1, '2')],
  };
  const refused = failed(1, { name: 'AbortedError', outcome: 'not_applied' });

  it('have one effect together, and each is told of its own requests', () => {
    const journal = [judged('1', 'accepted'), judged('2', 'replayed')];
    expect(wrong({ ...twins, ends: [end(0), end(1)], journal })).toEqual([]);
    expect(wrong({ ...twins, ends: [end(0), refused], journal })).toEqual([]);
  });

  it('are told wrongly when the effect was that of a request which is said not to have had it', () => {
    const journal = [judged('2', 'fault_after'), judged('1', 'replayed')];
    expect(wrong({ ...twins, ends: [end(0), refused], journal })).toEqual(['wrong outcome']);
  });
});

describe('a call that a restarted process makes again', () => {
  const wire = [request(0, '1'), request(0, '2', { tag: '0.1' })];
  const refused = { ...failed(0, { name: 'ProviderError', outcome: 'not_applied' }), tag: '0.1' };
  const rules = { refusals: 'never', providerFailures: true } as const;

  it('is told of its own requests, not of those of the process that was killed', () => {
    expect(wrong({ wire, ends: [refused], rules })).toEqual([]);
    const journal = [judged('2', 'accepted')];
    expect(wrong({ wire, ends: [refused], rules, journal })).toEqual(['wrong outcome']);
  });
});

describe('refused nonces', () => {
  const refusal = failed(0, { name: 'UnauthenticatedError', status: 401, outcome: 'unknown' });

  it('reach no caller', () => {
    expect(wrong({ ends: [refusal] })).toEqual(['refused nonces']);
  });

  it('may reach callers where no order is asked for', () => {
    expect(wrong({ ends: [refusal], rules: { refusals: 'allowed', providerFailures: false } })).toEqual([]);
  });

  it('may reach those that ask for no repeats, where the phase says so', () => {
    const rules = { refusals: 'without retries', providerFailures: false } as const;
    expect(wrong({ ends: [refusal], rules })).toEqual(['refused nonces']);
    expect(wrong({ ends: [refusal], rules, plans: [plan(0, { maxRetries: 0 })] })).toEqual([]);
  });
});

describe('requests', () => {
  it('have each nonce of an API key once', () => {
    const ends = [end(0, { attempts: 2 })];
    expect(wrong({ ends, wire: [request(0, '1'), request(0, '1')] })).toEqual(['nonces twice']);
    expect(wrong({ ends, wire: [request(0, '1'), request(0, '1', { apiKey: 'pk_2' })] })).toEqual([]);
  });

  it('have the key that the caller is told of', () => {
    const ends = [end(0, { attempts: 2 })];
    const other = '5e0b1d5a-6f0c-4c43-8e3a-9f6d2f0a7b12';
    expect(wrong({ ends, wire: [request(0, '1'), request(0, '2', { key: KEY.toUpperCase() })] })).toEqual([]);
    expect(wrong({ ends, wire: [request(0, '1', { key: other }), request(0, '2')] })).toEqual(['keys changed']);
    expect(wrong({ wire: [request(0, '1', { key: undefined })] })).toEqual(['keys changed']);
  });

  it('are no more than the attempts that the call tells of', () => {
    expect(wrong({ wire: [request(0, '1'), request(0, '2')] })).toEqual(['unasked attempts']);
  });
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

  it('may be those of a nonce source that was taken away', () => {
    const rules = { refusals: 'never', providerFailures: true } as const;
    expect(wrong({ ends: [failed(0, { name: 'ProviderError' })], rules })).toEqual([]);
  });

  it('of a read say that nothing was applied', () => {
    const plans = [plan(0, { kind: 'users.get' }), plan(1)];
    const ends = [failed(0, { outcome: 'unknown' }), end(1)];
    expect(wrong({ plans, ends, effects: new Map([['effect 1', 1]]) })).toEqual(['wrong outcome']);
  });
});

describe('calls', () => {
  it('end', () => {
    expect(wrong({ ends: [] })).toEqual(['never ended']);
  });

  it('need not have been heard of when their process was killed', () => {
    expect(wrong({ ends: [], excused: new Set([0]) })).toEqual([]);
  });
});

describe('processes', () => {
  it('have no incidents', () => {
    expect(wrong({ incidents: ['unhandledRejection: Error: nobody listens'] })).toEqual(['incidents']);
  });

  it('leave nothing over, nor does the parent', () => {
    expect(wrong({ reports: [{ process: 0, left: ['Timeout'], heap: [] }] })).toEqual(['left over']);
    expect(wrong({ left: ['1 open connections at the link'] })).toEqual(['left over']);
  });

  const heap = (bytesAt: (sample: number) => number) =>
    Array.from({ length: 9 }, (_, sample) => ({ calls: sample * 500, bytes: bytesAt(sample) }));

  it('do not grow with their calls', () => {
    const reports = [{ process: 0, left: [], heap: heap((sample) => 20e6 + sample * 500 * 900) }];
    expect(wrong({ reports })).toEqual(['memory grown']);
  });

  it('may warm up, and use a little more or less', () => {
    expect(growthOf(heap((sample) => (sample < 3 ? 10e6 + sample * 3e6 : 20e6 + (sample % 2) * 200_000)))).toBe(
      undefined,
    );
    expect(growthOf(heap((sample) => 20e6 - sample * 1e6))).toBe(undefined);
    expect(growthOf([{ calls: 0, bytes: 1e9 }])).toBe(undefined);
  });

  it('are not judged by one sample that is out of line', () => {
    expect(growthOf(heap((sample) => (sample === 8 ? 30e6 : 20e6)))).toBe(undefined);
  });
});

describe('a run', () => {
  it('proves nothing without faults, effects or requests', () => {
    expect(wrong({ faults: new Map() })).toEqual(['proved nothing']);
    expect(wrong({ ends: [failed(0, {})], effects: nothing })).toEqual(['proved nothing']);
    expect(wrong({ journal: [] })).toEqual(['proved nothing']);
  });
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
