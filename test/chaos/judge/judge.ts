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
  'proved nothing',
] as const;

export type Figure = (typeof FIGURES)[number];

export interface Finding {
  readonly figure: Figure;
  readonly what: string;
  /** The call it is about. */
  readonly id?: number | undefined;
}

/** Compares what the callers were told with what the service did. */
export function judge(evidence: Evidence): Finding[] {
  const { incidents, left } = evidence;
  return [
    ...judgeWrites(evidence),
    ...judgeAccepted(evidence),
    ...judgeCalls(evidence),
    ...judgeNonces(evidence),
    ...judgeRequests(evidence),
    ...incidents.map((what): Finding => ({ figure: 'incidents', what })),
    ...left.map((what): Finding => ({ figure: 'left over', what })),
    ...judgeWorth(evidence),
  ];
}

/** Every effect took place once at most, and each call was told the truth about its own. */
function judgeWrites({ plans, ends, effects, effectOf, ...evidence }: Evidence): Finding[] {
  const causes = new Causes(evidence);
  const endsOf = groupBy(ends, ({ id }) => id);
  const groups = groupBy(plans, effectOf);
  groups.delete(undefined);
  return [...groups].flatMap(([effect = '', group]) => {
    const count = effects.get(effect) ?? 0;
    const doubled: Finding = { figure: 'doubled', what: `${effect} took place ${count} times`, id: group[0]?.id };
    const told = group.flatMap((plan) => (endsOf.get(plan.id) ?? []).flatMap((end) => judgeEnd(end, plan)));
    return count > 1 ? [doubled, ...told] : told;

    function judgeEnd({ id, ok, error, tag, idempotencyKey }: CallEnd, { kind }: CallPlan): Finding[] {
      const isApplied = error?.outcome === 'applied';
      if ((ok || isApplied) && count === 0) {
        const what = `${ok ? 'the call succeeded' : 'applied'}, but there is no ${effect}`;
        const lost: Finding = { figure: 'lost', what, id };
        return isApplied ? [lost, { figure: 'wrong outcome', what, id }] : [lost];
      }
      // Two callers may be after the same effect, and so may a process that was started again: each is told of its own requests.
      const isTrade = kindOf(kind).repeats === 'trade';
      const isOwn = isTrade ? causes.executed(tag) : [undefined, tag].includes(causes.of(idempotencyKey));
      if (error?.outcome !== 'not_applied' || count === 0 || !isOwn) return [];
      return [{ figure: 'wrong outcome', what: `not_applied, but there is ${effect}`, id }];
    }
  });
}

/** The ledger of idempotency keys: none was accepted twice, whichever API keys the requests had. */
function judgeAccepted({ journal, wire }: Evidence): Finding[] {
  const accepted = journal.filter(({ verdict, method }) => verdict === 'accepted' && method !== 'GET');
  return [...groupBy(accepted, ({ key }) => key?.toLowerCase())].flatMap(([key, { length }]) => {
    if (key === undefined || length < 2) return [];
    const id = idOf(wire.find((request) => request.key?.toLowerCase() === key)?.tag);
    return [{ figure: 'doubled', what: `idempotency key ${key} was accepted ${length} times`, id }];
  });
}

/** Verdicts of the journal for a request that had its effect, or whose key was remembered. */
const EFFECTIVE: readonly string[] = ['accepted', 'fault_after'];

/** Whose request had the effect of a key; undefined where it has none. */
class Causes {
  readonly #nonces = new Map<string, string>();
  readonly #tags = new Map<string, string>();
  readonly #executions: readonly WireRequest[];

  constructor({ journal, wire }: Pick<Evidence, 'journal' | 'wire'>) {
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

function judgeCalls({ phase, plans, ends, excused }: Evidence): Finding[] {
  const ended = new Set(ends.map(({ id }) => id));
  const missing = plans.filter(({ id }) => !ended.has(id) && !excused.has(id));
  const findings: Finding[] = missing.map(({ id }) => ({ figure: 'never ended', what: 'the call never ended', id }));
  // No order is asked for, and this service has no window for late nonces; or the copy of a request is refused.
  const mayBeRefused = phase.nonceOrder === 'unordered' || phase.edge === 'resending';
  for (const { id, error, foreign } of ends) {
    const plan = plans[id];
    if (foreign !== undefined)
      findings.push({ figure: 'wrong answer', what: `the answer is another's: ${foreign}`, id });
    if (error === undefined || plan === undefined) continue;
    const { name, outcome, partner } = error;
    // What stays unknown when it is settled has no class of its own.
    const isNamed = name !== 'PartnerError' || (plan.settles && outcome === 'unknown');
    // A shared nonce source is taken away for a while.
    const isProviders = name === 'ProviderError' && phase.nonces === 'own';
    if (!partner || !isNamed || isProviders || OUT_OF_PLACE.includes(name)) {
      findings.push({ figure: 'untyped errors', what: `${name}: ${error.message}`, id });
    }
    if (kindOf(plan.kind).repeats === 'read' && partner && outcome !== 'not_applied') {
      findings.push({ figure: 'wrong outcome', what: `a read is ${outcome}`, id });
    }
    if (error.status === 401 && !mayBeRefused) {
      findings.push({ figure: 'refused nonces', what: 'a refused nonce reached the caller', id });
    }
  }
  return findings;
}

function judgeNonces({ wire }: Evidence): Finding[] {
  return [...groupBy(wire, ({ apiKey, nonce }) => `${apiKey} ${nonce}`).values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return [];
    const what = `nonce ${first.nonce} came ${1 + others.length} times`;
    return [{ figure: 'nonces twice', what, id: idOf(first.tag) }];
  });
}

/**
 * No call sends more requests than it says that it made: somebody sends by himself; nor one with another idempotency key than
 * its caller was told of: nothing protects the caller from doing it twice.
 */
function judgeRequests({ wire, ends, plans }: Evidence): Finding[] {
  const requests = groupBy(wire, ({ tag }) => tag);
  return ends.flatMap(({ id, tag, attempts, idempotencyKey: told }) => {
    const sent = requests.get(tag) ?? [];
    const findings: Finding[] = [];
    const { pages, repeats } = kindOf(plans[id]?.kind ?? '');
    if (attempts !== undefined && !pages && sent.length > attempts) {
      findings.push({ figure: 'unasked attempts', what: `${sent.length} requests, but ${attempts} attempts`, id });
    }
    // The writes of a trade have a key each.
    const others = repeats === 'trade' || told === undefined ? [] : sent.filter(({ key }) => !isSame(key, told));
    for (const { key } of others) {
      const what = `a request had the key ${key ?? 'none'}, the call tells of ${told}`;
      findings.push({ figure: 'keys changed', what, id });
    }
    return findings;
  });
}

const isSame = (key: string | undefined, told: string): boolean => key?.toLowerCase() === told.toLowerCase();

function judgeWorth({ effects, effectOf, plans, faults, journal }: Evidence): Finding[] {
  const isWorth = {
    'no fault struck': faults.size > 0,
    'no write had an effect': plans.some((plan) => (effects.get(effectOf(plan) ?? '') ?? 0) > 0),
    'the service saw no request': journal.length > 0,
  };
  return Object.entries(isWorth).flatMap(([what, is]) => (is ? [] : [{ figure: 'proved nothing', what }]));
}

/** The number of the call with this tag. */
export const idOf = (tag = ''): number => Number.parseInt(tag, 10);

export function groupBy<T, Name>(values: readonly T[], nameOf: (value: T) => Name): Map<Name, T[]> {
  const groups = new Map<Name, T[]>();
  for (const value of values) {
    const group = groups.get(nameOf(value));
    if (group === undefined) groups.set(nameOf(value), [value]);
    else group.push(value);
  }
  return groups;
}
