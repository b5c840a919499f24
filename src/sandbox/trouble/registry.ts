import { operations } from '../../resources/operations.js';
import type { Operation } from '../../schema/operation.js';
import { text } from '../core/basics/checked.js';
import { excerpt } from '../core/basics/excerpt.js';
import type { Random } from '../core/basics/random.js';
import { countOf, shownCount } from '../core/basics/times.js';
import type { GroupOf } from '../core/kind/group.js';
import type { State } from '../core/records/state.js';
import type { Delivery } from '../webhooks/delivery/delivery.js';
import type { StruckDelivery } from '../webhooks/delivery/effects.js';
import { drawChaos, drawDelay, type Effect, effectOf, faultNow, type StrikingFault } from './effects.js';
import type { When } from './fault-table.js';
import {
  type ArrivedRequest,
  DELIVERY_MEMBERS,
  isOfDelivery,
  isOfRequest,
  operationNamed,
  REQUEST_MEMBERS,
  type TroubleMatch,
} from './match.js';
import { applyOutcome, KNOWN_OUTCOMES, type KnownOutcome } from './outcomes.js';
import { type Trouble, type TroubleEntry, type TroubleOptions, troubleOptions } from './trouble.js';

/** A fault that applies to a request, with the id of its trouble. */
type AppliedFault = StrikingFault & Pick<Trouble, 'id'>;

/** Returns and counts the fault that applies to a request before or after its effect, if any. */
export type FaultPicker = (when: When) => AppliedFault | undefined;

interface Rule {
  readonly id: string;
  readonly options: TroubleOptions;
  readonly match: TroubleMatch;
  readonly operation: Operation | undefined;
  readonly effect: Effect;
  readonly times: number;
  readonly random: Random;
  readonly at: number;
  readonly real: number;
  from: number;
  until: number | undefined;
  /** Number of requests or deliveries so far that meet all conditions. */
  seen: number;
  applied: number;
}

type Sort = Effect['sort'];

/** A rule whose effect is of this sort. */
type RuleOf<One extends Sort> = Rule & { readonly effect: Extract<Effect, { readonly sort: One }> };

/** A fault that was drawn from chaos for one request. */
interface DrawnFault {
  readonly rule: Rule;
  readonly fault: StrikingFault;
}

/**
 * All active troubles, oldest first. They belong to one run of the sandbox: a snapshot does not
 * contain them. Removing one does not change responses in progress.
 */
export class Troubles {
  readonly #state: State;
  readonly #random: Random;
  /** Those of `createSandbox`, which a reset adds again. */
  readonly #base: readonly TroubleOptions[];
  readonly #rules = new Map<string, Rule>();
  #added = 0;

  constructor(base: readonly TroubleOptions[] = [], state: State, random: Random) {
    this.#base = base;
    this.#state = state;
    this.#random = random;
  }

  /** Adds those of `createSandbox`. */
  begin(): void {
    for (const options of this.#base) this.add('createSandbox: troubles', options);
  }

  /**
   * @param method Start of an error's message.
   * @param options Options that their schema has checked.
   * @throws TypeError for options that do not fit together.
   */
  add(method: string, options: TroubleOptions): Trouble {
    const { match = {}, forMs, afterMs = 0 } = options;
    const operation = match.operation === undefined ? undefined : operationNamed(method, operations, match.operation);
    const effect = effectOf(method, options, operation);
    checkMembers(method, match, effect);
    const { clock, timeline } = this.#state;
    this.#added += 1;
    const id = `trouble_${this.#added}`;
    const at = clock.now();
    const from = at + afterMs;
    const rule: Rule = {
      id,
      options,
      match,
      operation,
      effect,
      times: countOf(options.times ?? (forMs !== undefined || isLasting(effect) ? 'always' : 1)),
      // Of its own, so that troubles do not change each other's draws.
      random: this.#random.fork(id),
      at,
      real: Date.now(),
      from,
      until: forMs === undefined ? undefined : from + forMs,
      seen: 0,
      applied: 0,
    };
    this.#rules.set(id, rule);
    timeline.note<TroubleEntry>({ kind: 'trouble', id, what: 'added' });
    if (rule.until !== undefined) clock.schedule(rule.until, { kind: 'trouble.end', id });
    return recordOf(rule);
  }

  list(): Trouble[] {
    this.#state.clock.catchUp();
    return Array.from(this.#rules.values(), recordOf);
  }

  /** Removes a trouble. Returns false if no active one has this id. */
  remove(id: string): boolean {
    if (this.#rules.get(id)?.until !== undefined) {
      this.#state.clock.drop((task) => task.kind === 'trouble.end' && task.id === id);
    }
    return this.end(id);
  }

  /** Ends a trouble at its time. Returns false if no active one has this id. */
  end(id: string): boolean {
    const found = this.#rules.delete(id);
    if (found) this.#state.timeline.note<TroubleEntry>({ kind: 'trouble', id, what: 'ended' });
    return found;
  }

  clear(): void {
    for (const id of [...this.#rules.keys()]) this.remove(id);
  }

  /** Restores those of `createSandbox`, and restarts ids. */
  reset(): void {
    this.#rules.clear();
    this.#added = 0;
    this.begin();
  }

  /** Moves the times of all troubles, because the clock was set to another time. */
  shift(ms: number): void {
    for (const rule of this.#rules.values()) {
      rule.from += ms;
      if (rule.until !== undefined) rule.until += ms;
    }
  }

  /** Must be called once for each request: it draws the chaos before and after its effect. */
  pickerFor(request: ArrivedRequest): FaultPicker {
    if (this.#rules.size === 0) return nothing;
    const { timeline } = this.#state;
    // The effect may be asynchronous, and still has this cause.
    const { cause } = timeline;
    const drawn = this.#drawChaos(request);
    return (when) => timeline.causedBy(cause, () => this.#pick(when, request, drawn));
  }

  /** Returns the delay of the response to a request in ms: the sum of all that apply. */
  delayOf(request: ArrivedRequest): number {
    let sum = 0;
    for (const rule of this.#due('delay', (one) => this.#fits(one, request))) {
      sum += drawDelay(rule.effect.delayMs, rule.random);
      this.#apply(rule);
    }
    return sum;
  }

  /** Applies the oldest matching outcome to an effect, after it has happened. */
  decide<Answer>(request: ArrivedRequest, answer: Answer): Answer {
    for (const rule of this.#due('outcome', (one) => this.#fits(one, request))) {
      const applied = applyOutcome(rule.effect, this.#state, request.match, answer);
      if (applied === false) continue;
      this.#apply(rule);
      return applied === true ? answer : { ...answer, data: applied.shown };
    }
    return answer;
  }

  /** Returns the effects on an attempt to deliver. `isPlanned`: the attempt may be delayed. */
  strike(delivery: Delivery, isPlanned: boolean): StruckDelivery | undefined {
    const fits = ({ effect, match }: RuleOf<'delivery'>) =>
      (isPlanned || !effect.holds) && isOfDelivery(match, delivery);
    for (const rule of this.#due('delivery', fits)) {
      this.#apply(rule);
      return { ...rule.effect.delivery, id: rule.id };
    }
    return undefined;
  }

  #pick(when: When, request: ArrivedRequest, drawn: DrawnFault | undefined): AppliedFault | undefined {
    for (const rule of this.#due('fault', (one) => one.effect.when === when && this.#fits(one, request))) {
      const fault = faultNow(rule.effect, rule.until, this.#state.clock.now());
      this.#apply(rule, fault.fault);
      return { ...fault, id: rule.id };
    }
    if (drawn?.fault.when !== when) return undefined;
    this.#apply(drawn.rule, drawn.fault.fault);
    return { ...drawn.fault, id: drawn.rule.id };
  }

  #drawChaos(request: ArrivedRequest): DrawnFault | undefined {
    for (const rule of this.#due('chaos', (one) => this.#fits(one, request))) {
      return { rule, fault: drawChaos(rule.random) };
    }
    return undefined;
  }

  #fits({ match, operation }: Rule, request: ArrivedRequest): boolean {
    return isOfRequest(match, operation, request, this.#state);
  }

  /** Yields the rules of a sort that fit, are active now, and are drawn. */
  *#due<One extends Sort>(sort: One, fits: (rule: RuleOf<One>) => boolean): Generator<RuleOf<One>> {
    if (this.#rules.size === 0) return;
    const now = this.#state.clock.now();
    for (const rule of this.#rules.values()) {
      if (!isOf(rule, sort) || now < rule.from || !fits(rule)) continue;
      rule.seen += 1;
      if (rule.seen < (rule.match.nth ?? 1)) continue;
      const { probability = 1 } = rule.options;
      if (probability === 1 || rule.random.chance(probability)) yield rule;
    }
  }

  #apply(rule: Rule, fault?: StrikingFault['fault']): void {
    const { id } = rule;
    rule.applied += 1;
    this.#state.timeline.note<TroubleEntry>({ kind: 'trouble', id, what: 'applied', fault });
    if (rule.applied === rule.times) this.remove(id);
  }
}

const isOf = <One extends Sort>(rule: Rule, sort: One): rule is RuleOf<One> => rule.effect.sort === sort;

const nothing: FaultPicker = () => undefined;

const isLasting = ({ sort }: Effect): boolean => sort === 'delay' || sort === 'chaos';

function recordOf({ id, options, effect, times, at, real, from, until, applied }: Rule): Trouble {
  return {
    ...options,
    ...(effect.sort === 'fault' ? { when: effect.when } : {}),
    id,
    times: shownCount(times),
    at,
    real,
    from: from === at ? undefined : from,
    until,
    applied,
    left: shownCount(times - applied),
  };
}

/** @throws TypeError for a condition that the requests or deliveries cannot meet. */
function checkMembers(method: string, match: TroubleMatch, { sort }: Effect): void {
  const known = sort === 'delivery' ? DELIVERY_MEMBERS : REQUEST_MEMBERS;
  for (const [name, value] of Object.entries(match)) {
    if (value === undefined || known.includes(name)) continue;
    throw new TypeError(`${method}: match.${name} is not for a ${sort}, which has ${known.join(', ')}`);
  }
}

/** `sandbox.troubles`: what goes wrong, with requests and with deliveries of webhooks. */
export interface SandboxTroubles {
  /** All outcomes that operations can have. */
  readonly outcomes: readonly KnownOutcome[];
  /**
   * Adds a trouble. It applies in this order:
   *
   * 1. Of the faults `before`, the oldest that matches responds instead of the service.
   * 2. The service checks the request: API key, quota, scope, input, idempotency key.
   * 3. Of the outcomes, the oldest that matches decides the effect, once there is one.
   * 4. Of the faults `after`, the oldest that matches replaces a successful response.
   * 5. All delays that match are added up, and hold the response back.
   *
   * `chaos` draws one fault for each request, `before` or `after`; other faults have priority. Of
   * the deliveries' effects, the oldest that matches applies to an attempt. A trouble that has
   * applied `times` times is removed.
   *
   * @throws TypeError for an unknown or wrong option, and for options that do not fit together.
   *
   * @example
   * sandbox.troubles.add({ does: 'chaos', probability: 0.05 });
   */
  add(options: TroubleOptions): Trouble;
  /** Returns the active troubles, oldest first, with their current counts. */
  list(): Trouble[];
  /**
   * Removes a trouble. Responses in progress do not change, and a delivery that the trouble delays
   * is sent at the scheduled time.
   *
   * @throws Error if no active trouble has this id.
   */
  remove(id: string): void;
  /** Removes all troubles, including those of `createSandbox`, which `reset` brings back. */
  clear(): void;
}

export const troubles: GroupOf<{ readonly troubles: Troubles }, SandboxTroubles> = {
  name: 'troubles',
  removal: 'remove',
  members: { outcomes: () => KNOWN_OUTCOMES },
  methods: {
    add: {
      takes: { options: troubleOptions },
      run: (service, options) => service.troubles.add('troubles.add', options),
    },
    list: { id: 'id', run: (service) => service.troubles.list() },
    remove: {
      takes: { id: text },
      run(service, id) {
        if (!service.troubles.remove(id)) throw new Error(`troubles.remove: there is no trouble ${excerpt(id)}`);
      },
    },
    clear: { run: (service) => service.troubles.clear() },
  },
};
