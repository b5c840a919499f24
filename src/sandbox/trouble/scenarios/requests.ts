import { operations } from '../../../resources/operations.js';
import { rule, wholeNumber } from '../../../util/options.js';
import { scopeOf } from '../../kinds/scopes.js';
import { type FaultOptions, isProbability } from '../faults/fault-options.js';
import { holdSteps, SETTLING_STEPS } from './execution.js';
import {
  METHOD,
  type ScenarioKind,
  type ScenarioOption,
  type ScenarioOptions,
  type Stage,
  type Stop,
} from './scenario.js';

/** `Retry-After` of an outage whose end is not known. */
const RETRY_AFTER_SECONDS = 30;

/** Steps of a settlement without an end wait for so long, or until it is stopped. */
const SETTLEMENT_MS = 3_600_000;

const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');

const RETRY_AFTER: ScenarioOption = {
  rule: rule((value) => Number.isFinite(value) && Number(value) >= 0, 'must be 0 or more seconds'),
  text: '`Retry-After` in seconds; by default what is left of `for`, or 30.',
};

export const SHARE: ScenarioOption = {
  rule: rule(isProbability, 'must be above 0, at most 1'),
  text: 'The share that goes wrong, above 0 to 1; by default 0.3.',
};

export const DEFAULT_SHARE = 0.3;

/** Answers 503. Returns the function that ends it. */
function down(stage: Stage, names: readonly (string | undefined)[], options: ScenarioOptions, scenario: string): Stop {
  const { faults } = stage;
  const ids: string[] = [];
  const stop = (): void => {
    for (const id of ids) faults.remove(id);
  };
  const retryAfterSeconds = options.retryAfterSeconds ?? (options.for === undefined ? RETRY_AFTER_SECONDS : 'left');
  try {
    for (const operation of names) {
      const fault: FaultOptions = { operation, fault: 503, times: 'always', for: options.for, retryAfterSeconds };
      ids.push(faults.add(METHOD, fault, scenario).id);
    }
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}

export const maintenance: ScenarioKind = {
  summary: 'All or some operations are answered 503 with `Retry-After`, before they take effect.',
  options: {
    operations: {
      rule: rule(isNames, 'must be a list of names of operations, at least one', copied),
      text: 'The operations that are down; by default every request.',
    },
    retryAfterSeconds: RETRY_AFTER,
  },
  start: (stage, options, name) => down(stage, options.operations ?? [undefined], options, name),
};

export const rateLimited: ScenarioKind = {
  summary:
    'Each API key has a small quota, above which it is answered 429 with a `Retry-After` that is right; the end puts the quota back that was there.',
  options: {
    requests: { rule: wholeNumber(1), text: 'Requests of one window; by default 5.' },
    per: { rule: wholeNumber(1), text: 'Length of a window in ms; by default 10,000.' },
  },
  start({ quota }, { requests = 5, per = 10_000 }) {
    const before = quota.present;
    const own = { requests, per };
    quota.set(own);
    return () => {
      if (quota.present === own) quota.set(before);
    };
  },
};

export const flakyNetwork: ScenarioKind = {
  summary:
    'Connections of a share of the requests break, before or after the effect: a reset, no answer at all, or half an answer.',
  options: { share: SHARE },
  start({ faults }, { share = DEFAULT_SHARE }, name) {
    const { id } = faults.addMix('network', share, name);
    return () => {
      faults.remove(id);
    };
  },
};

const movesMoney = operations.filter((one) => one.method !== 'GET' && ['trade', 'funds'].includes(scopeOf(one)));

export const nightlySettlement: ScenarioKind = {
  summary:
    'Writes that trade or move money are answered 503 with `Retry-After`, and what begins to settle waits; reads go on, and the end lets all that waits settle.',
  options: { retryAfterSeconds: RETRY_AFTER },
  start(stage, options, name) {
    const names = movesMoney.map((operation) => operation.name);
    const release = holdSteps(stage, SETTLING_STEPS, options.for ?? SETTLEMENT_MS);
    const open = down(stage, names, options, name);
    return () => {
      open();
      release();
    };
  },
};

export function copied(value: unknown): unknown {
  return Array.isArray(value) ? [...value] : value;
}
