import { type CallPlan, kindOf } from '../plan/plan.js';
import type { CallEnd, Evidence, WireRequest } from './evidence.js';

/** What must be 0, in the order of the report. */
export const FIGURES = [
  'doubled',
  'lost',
  'wrong outcome',
  'wrong answer',
  'refused nonces',
  'nonces twice',
  'unasked attempts',
  'keys changed',
  'untyped errors',
  'never ended',
  'incidents',
  'left over',
  'memory grown',
  'proved nothing',
] as const;

export type Figure = (typeof FIGURES)[number];

export interface Finding {
  readonly figure: Figure;
  readonly what: string;
  /** The call it is about. */
  readonly id?: number;
}

/** Compares what the callers were told with what the service did. */
export function judge(evidence: Evidence): Finding[] {
  return [
    ...judgeWrites(evidence),
    ...judgeAccepted(evidence),
    ...judgeCalls(evidence),
    ...judgeNonces(evidence),
    ...judgeAttempts(evidence),
    ...judgeKeys(evidence),
    ...judgeProcesses(evidence),
    ...judgeWorth(evidence),
  ];
}

/** Verdicts of the journal for a request that had its effect, or whose key was remembered. */
const EFFECTIVE: readonly string[] = ['accepted', 'fault_after'];

function judgeWrites(evidence: Evidence): Finding[] {
  const groups = new Map<string, CallPlan[]>();
  for (const plan of evidence.plans) {
    const effect = evidence.effectOf(plan);
    if (effect !== undefined) groups.set(effect, [...(groups.get(effect) ?? []), plan]);
  }
  const ends = groupBy(evidence.ends, ({ id }) => id);
  const causes = new Causes(evidence);
  return [...groups].flatMap(([effect, plans]) => {
    const count = evidence.effects.get(effect) ?? 0;
    const told = plans.flatMap(({ id }) => ends.get(id) ?? []);
    const isTrade = plans.some(({ kind }) => kindOf(kind).repeats === 'trade');
    return [
      ...(count > 1 ? [finding('doubled', `${effect} took place ${count} times`, plans)] : []),
      ...told.flatMap((end) => judgeEnd(end, { effect, count, causes, isTrade })),
    ];
  });
}

/** The ledger of idempotency keys: none was accepted twice, whichever API keys the requests had. */
function judgeAccepted({ journal, wire }: Evidence): Finding[] {
  const accepted = journal.filter(
    ({ verdict, key, method }) => verdict === 'accepted' && key !== undefined && method !== 'GET',
  );
  const apiKeys = groupBy(accepted, ({ key }) => key?.toLowerCase() ?? '');
  return [...apiKeys].flatMap(([key, entries]) => {
    if (entries.length < 2) return [];
    const signers = new Set(entries.map(({ apiKey }) => apiKey)).size;
    const sent = wire.find((request) => request.key?.toLowerCase() === key);
    const what = `idempotency key ${key} was accepted ${entries.length} times, from ${signers} API keys`;
    return [{ figure: 'doubled', what, id: Number.parseInt(sent?.tag ?? '', 10) }];
  });
}

interface Effect {
  readonly effect: string;
  /** How often it took place. */
  readonly count: number;
  readonly isTrade: boolean;
  readonly causes: Causes;
}

function judgeEnd(end: CallEnd, { effect, count, causes, isTrade }: Effect): Finding[] {
  const { id, ok, error } = end;
  if (ok && count === 0) return [{ figure: 'lost', what: `the call succeeded, but there is no ${effect}`, id }];
  if (error?.outcome === 'applied' && count === 0) {
    return [
      { figure: 'lost', what: `applied, but there is no ${effect}`, id },
      { figure: 'wrong outcome', what: `applied, but there is no ${effect}`, id },
    ];
  }
  // Two callers may be after the same effect, and so may a process that was started again: each is told of its own requests.
  const own = isTrade ? causes.executed(end.tag) : [undefined, end.tag].includes(causes.of(end.idempotencyKey));
  if (error?.outcome === 'not_applied' && count > 0 && own) {
    return [{ figure: 'wrong outcome', what: `not_applied, but there is ${effect}`, id }];
  }
  return [];
}

/** Whose request had the effect of a key; undefined where it has none. */
class Causes {
  readonly #nonces = new Map<string, string>();
  readonly #tags = new Map<string, string>();
  readonly #executions: readonly WireRequest[];

  constructor({ journal, wire }: Evidence) {
    for (const { key, nonce, verdict } of journal) {
      if (key === undefined || nonce === undefined || !EFFECTIVE.includes(verdict)) continue;
      if (!this.#nonces.has(key.toLowerCase())) this.#nonces.set(key.toLowerCase(), nonce);
    }
    this.#executions = wire.filter(({ path }) => path.endsWith('/execute'));
    for (const { key, nonce, tag } of wire) if (key !== undefined) this.#tags.set(`${key.toLowerCase()} ${nonce}`, tag);
  }

  /** True if a request of this tag had the effect of an execution. */
  executed(tag: string): boolean {
    return this.#executions.some((request) => request.tag === tag && this.of(request.key) === tag);
  }

  of(key: string | undefined): string | undefined {
    const name = key?.toLowerCase() ?? '';
    return this.#tags.get(`${name} ${this.#nonces.get(name)}`);
  }
}

/** Errors that no call of a phase may end with: its options and input are right. */
const OUT_OF_PLACE: readonly string[] = ['ConfigurationError', 'RequestValidationError', 'WebhookVerificationError'];

function judgeCalls({ plans, ends, excused, rules }: Evidence): Finding[] {
  const ended = new Set(ends.map(({ id }) => id));
  const missing = plans.filter(({ id }) => !ended.has(id) && !excused.has(id));
  const findings: Finding[] = missing.map(({ id }) => ({ figure: 'never ended', what: 'the call never ended', id }));
  for (const { id, error, foreign } of ends) {
    const plan = plans[id];
    if (foreign !== undefined)
      findings.push({ figure: 'wrong answer', what: `the answer is another's: ${foreign}`, id });
    if (error === undefined || plan === undefined) continue;
    // What stays unknown when it is settled has no class of its own.
    const isNamed = error.name !== 'PartnerError' || (plan.settles && error.outcome === 'unknown');
    const typed = error.partner && isNamed && !OUT_OF_PLACE.includes(error.name);
    if (!typed || (error.name === 'ProviderError' && !rules.providerFailures)) {
      findings.push({ figure: 'untyped errors', what: `${error.name}: ${error.message}`, id });
    }
    if (kindOf(plan.kind).repeats === 'read' && error.partner && error.outcome !== 'not_applied') {
      findings.push({ figure: 'wrong outcome', what: `a read is ${error.outcome}`, id });
    }
    const allowed = rules.refusals === 'allowed' || (rules.refusals === 'without retries' && plan.maxRetries === 0);
    if (error.status === 401 && !allowed) {
      findings.push({ figure: 'refused nonces', what: 'a refused nonce reached the caller', id });
    }
  }
  return findings;
}

function judgeNonces({ wire }: Evidence): Finding[] {
  const counts = countBy(wire, ({ apiKey, nonce }) => `${apiKey} ${nonce}`);
  return [...counts].flatMap(([name, count]) => {
    if (count < 2) return [];
    const [apiKey = '', nonce = ''] = name.split(' ');
    const sent = wire.find((request) => request.apiKey === apiKey && request.nonce === nonce);
    return [
      { figure: 'nonces twice', what: `nonce ${nonce} came ${count} times`, id: Number.parseInt(sent?.tag ?? '', 10) },
    ];
  });
}

/** More requests on the wire than the call says it made: somebody sends by himself. */
function judgeAttempts({ wire, ends, plans }: Evidence): Finding[] {
  const sent = countBy(wire, ({ tag }) => tag);
  return ends.flatMap(({ id, tag, attempts }) => {
    const requests = sent.get(tag) ?? 0;
    if (attempts === undefined || kindOf(plans[id]?.kind ?? '').pages || requests <= attempts) return [];
    return [{ figure: 'unasked attempts', what: `${requests} requests, but ${attempts} attempts`, id }];
  });
}

/** A request with another idempotency key than its caller was told of: nothing protects the caller from doing it twice. */
function judgeKeys({ wire, ends, plans }: Evidence): Finding[] {
  // The writes of a trade have a key each.
  const single = ends.filter(({ id }) => kindOf(plans[id]?.kind ?? '').repeats !== 'trade');
  const told = new Map(single.map(({ tag, idempotencyKey }) => [tag, idempotencyKey]));
  return wire.flatMap(({ tag, key }) => {
    const expected = told.get(tag);
    if (expected === undefined || key?.toLowerCase() === expected.toLowerCase()) return [];
    const what = `a request had the key ${key ?? 'none'}, the call tells of ${expected}`;
    return [{ figure: 'keys changed', what, id: Number.parseInt(tag, 10) }];
  });
}

function judgeProcesses({ reports, incidents, left }: Evidence): Finding[] {
  return [
    ...incidents.map((what): Finding => ({ figure: 'incidents', what })),
    ...left.map((what): Finding => ({ figure: 'left over', what })),
    ...reports.flatMap(({ process, left: kept }) =>
      kept.map((what): Finding => ({ figure: 'left over', what: `in process ${process}: ${what}` })),
    ),
    ...reports.flatMap(({ process, heap }) => {
      const growth = growthOf(heap);
      if (growth === undefined) return [];
      const what = `the heap of process ${process} grew by ${growth.bytes} bytes over ${growth.calls} calls`;
      return [{ figure: 'memory grown', what } satisfies Finding];
    }),
  ];
}

/** Bytes that a heap may differ by without any leak: what is compiled, cached and pooled meanwhile. */
const HEAP_NOISE = 1024 * 1024;

/**
 * What the heap has grown by from the middle third of a run to the last one, medians compared; undefined for what is no growth. The first
 * third is for warming up.
 */
export function growthOf(heap: readonly { readonly calls: number; readonly bytes: number }[]) {
  const third = Math.floor(heap.length / 3);
  if (third === 0) return undefined;
  const middle = medians(heap.slice(-2 * third, -third));
  const last = medians(heap.slice(-third));
  const growth = { bytes: last.bytes - middle.bytes, calls: last.calls - middle.calls };
  return growth.bytes > HEAP_NOISE ? growth : undefined;
}

function medians(samples: readonly { readonly calls: number; readonly bytes: number }[]) {
  return { calls: median(samples.map(({ calls }) => calls)), bytes: median(samples.map(({ bytes }) => bytes)) };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function judgeWorth({ effects, effectOf, plans, faults, journal }: Evidence): Finding[] {
  const struck = [...faults.values()].reduce((sum, count) => sum + count, 0);
  const some = plans.some((plan) => (effects.get(effectOf(plan) ?? '') ?? 0) > 0);
  return [
    ...(struck === 0 ? [{ figure: 'proved nothing', what: 'no fault struck' } as const] : []),
    ...(some ? [] : [{ figure: 'proved nothing', what: 'no write had an effect' } as const]),
    ...(journal.length === 0 ? [{ figure: 'proved nothing', what: 'the service saw no request' } as const] : []),
  ];
}

function finding(figure: Figure, what: string, plans: readonly CallPlan[]): Finding {
  const [first] = plans;
  return first === undefined ? { figure, what } : { figure, what, id: first.id };
}

export function countBy<T>(values: readonly T[], nameOf: (value: T) => string = String): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(nameOf(value), (counts.get(nameOf(value)) ?? 0) + 1);
  return counts;
}

function groupBy<T, Name>(values: readonly T[], nameOf: (value: T) => Name): Map<Name, T[]> {
  const groups = new Map<Name, T[]>();
  for (const value of values) {
    const group = groups.get(nameOf(value));
    if (group === undefined) groups.set(nameOf(value), [value]);
    else group.push(value);
  }
  return groups;
}
