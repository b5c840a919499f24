import type { AnyKind } from '../../src/sandbox/core/kind/kind.js';
import { REMOVED, statesOf } from '../../src/sandbox/core/kind/states.js';
import { groupOf } from '../../src/sandbox/core/moves.js';
import { KINDS } from '../../src/sandbox/kinds/registry/index.js';

/** The states of a kind of resources, and the methods that each state allows. */
export interface Lifecycle {
  /** For example `quote`. */
  readonly noun: string;
  /** Methods by state. A state without methods is final. */
  readonly states: Readonly<Record<string, readonly string[]>>;
  /** Methods that every state allows. */
  readonly always?: readonly string[];
}

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

/** Lifecycles of all kinds that have states. */
export const LIFECYCLES: Readonly<Record<string, Lifecycle>> = Object.fromEntries(
  KINDS.filter(({ moves, stateOf }) => moves !== undefined && stateOf !== undefined).map((kind) => [
    kind.name,
    lifecycleOf(kind),
  ]),
);
