import type { AnyKind } from '../../core/kind/kind.js';
import { groupOf } from '../../core/kind/moves.js';
import { REMOVED, statesOf } from '../../core/kind/states.js';
import type { State } from '../../core/records/state.js';
import { KINDS } from '../index.js';
import { STEPS } from '../lifecycles/index.js';

/** The states of a kind of resources, and the methods that move a resource on from each. */
export interface Lifecycle {
  /** For example `quote`. */
  readonly noun: string;
  /** By state. A state without methods is an end. */
  readonly states: Readonly<Record<string, readonly string[]>>;
  /** Methods that every state allows. */
  readonly always?: readonly string[];
}

const SETTLING = ['onDemandConversions.settle', 'onDemandConversions.complete', 'onDemandConversions.fail'];
const CONVERTING = ['conversions.settle', 'conversions.complete', 'conversions.fail'];

/**
 * The one table of what may be done with a resource. The first argument of each method is the id of
 * the resource.
 */
const OTHER_LIFECYCLES = {
  onDemandConversions: {
    noun: 'on-demand conversion',
    states: { converting: SETTLING, settling: ['onDemandConversions.complete'], ...{ completed: [], failed: [] } },
  },
  conversions: {
    noun: 'conversion',
    states: {
      pending_deposit: ['conversions.fail'],
      ...{ converting: CONVERTING, settling: ['conversions.complete'], completed: [], failed: [] },
    },
  },
  conversionRules: {
    noun: 'conversion rule',
    states: { active: [], paused: [] },
    always: ['conversionRules.setStatus'],
  },
  expectedDeposits: {
    noun: 'expected deposit',
    states: { pending: ['deposits.expire'], received: ['deposits.credit'], ...{ credited: [], expired: [] } },
  },
} as const satisfies Readonly<Record<string, Lifecycle>>;

const lifecycleOf = (kind: AnyKind): Lifecycle => {
  const states = statesOf(kind).filter((state) => state !== REMOVED);
  const names = Object.entries(kind.moves ?? {}).map(([name, { from }]) => {
    return { method: `${groupOf(kind)}.${name}`, from, always: states.every((state) => from.includes(state)) };
  });
  const methods = states.map((state) => {
    const allowed = names.filter(({ from, always }) => !always && from.includes(state));
    return [state, allowed.map(({ method }) => method)] as const;
  });
  const always = names.filter((one) => one.always).map(({ method }) => method);
  return { noun: kind.noun, states: Object.fromEntries(methods), ...(always.length === 0 ? {} : { always }) };
};

export const LIFECYCLES: Readonly<Record<string, Lifecycle>> = {
  ...OTHER_LIFECYCLES,
  ...Object.fromEntries(
    KINDS.filter(({ moves, stateOf }) => moves !== undefined && stateOf !== undefined).map((kind) => [
      kind.name,
      lifecycleOf(kind),
    ]),
  ),
};

/** A kind of resources that can be moved, and has no definition of its own yet. */
export type MovableKind = keyof typeof OTHER_LIFECYCLES;

/** Returns the names of the methods that a state allows, for example `quotes.expire`. */
export function movesOf(kind: string, status: string): readonly string[] {
  const { states = {}, always = [] }: Partial<Lifecycle> = LIFECYCLES[kind] ?? {};
  return [...(Object.hasOwn(states, status) ? (states[status] ?? []) : []), ...always];
}

/**
 * @throws Error that names the present state and what it allows, if it does not allow the method.
 */
export function checkMove(kind: MovableKind, method: string, id: string, status: string): void {
  const allowed = movesOf(kind, status);
  if (allowed.includes(method)) return;
  const rest = allowed.length === 0 ? ' already' : `; it allows ${allowed.join(', ')}`;
  throw new Error(`${method}: the ${OTHER_LIFECYCLES[kind].noun} ${id} is ${status}${rest}`);
}

/** Runs a step of a record now, in place of the planned one. */
export function runNow(state: State, step: string, id: string, account?: string): void {
  state.clock.drop((task) => task.kind === 'step' && task.step === step && task.id === id);
  STEPS[step]?.(state, { kind: 'step', step, id, account });
}
