import { operations } from '../../../resources/operations.js';
import { rule, wholeNumber } from '../../../util/options.js';
import type { RequestQuota } from '../../core/keys/quota-terms.js';
import { scopeOf } from '../../kinds/registry/scopes.js';
import { type FaultOptions, isProbability } from '../faults/fault-options.js';
import { type HeldSteps, heldSteps, holdSteps, releaseSteps, SETTLING_STEPS } from './execution.js';
import {
  listOfTexts,
  METHOD,
  NOTHING_SAVED,
  type ScenarioKind,
  type ScenarioName,
  type ScenarioOption,
  type ScenarioOptions,
  type ScenarioParts,
  type Undo,
} from './scenario.js';

/** `Retry-After` in seconds of an outage without a known end. */
const RETRY_AFTER_SECONDS = 30;

/**
 * Time in ms for which the steps of a settlement without `for` wait, unless it is stopped earlier.
 */
const SETTLEMENT_MS = 3_600_000;

const RETRY_AFTER: ScenarioOption = {
  rule: rule((value) => Number.isFinite(value) && Number(value) >= 0, 'must be 0 or more seconds'),
  text: '`Retry-After` in seconds; by default what is left of `for`, or 30.',
};

export const SHARE: ScenarioOption = {
  rule: rule(isProbability, 'must be above 0, at most 1'),
  text: 'The share that goes wrong, above 0 to 1; by default 0.3.',
};

export const DEFAULT_SHARE = 0.3;

interface AddedFaults {
  /** Ids of the added faults. */
  readonly faults: readonly string[];
}

/** Makes operations answer 503. */
function addOutage(
  parts: ScenarioParts,
  names: readonly (string | undefined)[],
  options: ScenarioOptions,
  scenario: ScenarioName,
): AddedFaults {
  const faults: string[] = [];
  const retryAfterSeconds = options.retryAfterSeconds ?? (options.for === undefined ? RETRY_AFTER_SECONDS : 'left');
  try {
    for (const operation of names) {
      const fault: FaultOptions = { operation, fault: 503, times: 'always', for: options.for, retryAfterSeconds };
      faults.push(parts.faults.add(METHOD, fault, scenario).id);
    }
  } catch (error) {
    removeFaults(parts, { run: { faults } });
    throw error;
  }
  return { faults };
}

function removeFaults({ faults }: ScenarioParts, { run }: Undo<object, AddedFaults>): void {
  for (const id of run?.faults ?? []) faults.remove(id);
}

export const maintenance: ScenarioKind<object, AddedFaults> = {
  summary: 'All or some operations get 503 with `Retry-After`, before they take effect.',
  options: {
    operations: {
      rule: listOfTexts('a list of names of operations'),
      text: 'The operations that are down; by default every request.',
    },
    retryAfterSeconds: RETRY_AFTER,
  },
  saved: NOTHING_SAVED,
  start: (parts, options, name) => ({ run: addOutage(parts, options.operations ?? [undefined], options, name) }),
  stop: removeFaults,
};

interface ChangedQuota {
  /** The quota that the scenario set, and the one before it. */
  readonly quota: RequestQuota;
  readonly before: RequestQuota | undefined;
}

export const rateLimited: ScenarioKind<object, ChangedQuota> = {
  summary:
    'Each API key has a small quota. Requests above it get 429 with an exact `Retry-After`. When it stops, the earlier quota is restored.',
  options: {
    requests: { rule: wholeNumber(1), text: 'Requests of one window; by default 5.' },
    per: { rule: wholeNumber(1), text: 'Length of a window in ms; by default 10,000.' },
  },
  saved: NOTHING_SAVED,
  start({ quota: counter }, { requests = 5, per = 10_000 }) {
    const before = counter.current;
    const quota = { requests, per };
    counter.set(quota);
    return { run: { quota, before } };
  },
  stop({ quota: counter }, { run }) {
    if (run === undefined) return;
    const { requests, per } = run.quota;
    if (counter.current?.requests === requests && counter.current.per === per) counter.set(run.before);
  },
};

export const flakyNetwork: ScenarioKind<object, AddedFaults> = {
  summary: 'The connections of some requests break, before or after the effect: a reset, no answer, or half an answer.',
  options: { share: SHARE },
  saved: NOTHING_SAVED,
  start({ faults }, { share = DEFAULT_SHARE }, name) {
    const { id } = faults.addMix('network', share, name);
    return { run: { faults: [id] } };
  },
  stop: removeFaults,
};

const movesMoney = operations.filter((one) => one.method !== 'GET' && ['trade', 'funds'].includes(scopeOf(one)));

export const nightlySettlement: ScenarioKind<HeldSteps, AddedFaults> = {
  summary:
    'Writes that trade or move money get 503 with `Retry-After`, and settlements wait. Reads work. When it stops, the settlements continue.',
  options: { retryAfterSeconds: RETRY_AFTER },
  saved: heldSteps,
  start(parts, options, name) {
    const names = movesMoney.map((operation) => operation.name);
    const run = addOutage(parts, names, options, name);
    return { ...holdSteps(parts, name, SETTLING_STEPS, options.for ?? SETTLEMENT_MS), run };
  },
  stop(parts, undo, name) {
    removeFaults(parts, undo);
    releaseSteps(parts, name, SETTLING_STEPS, undo);
  },
};
