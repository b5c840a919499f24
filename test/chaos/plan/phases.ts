import type { EdgeName } from '../edge/edge.js';
import type { Rules } from '../judge/evidence.js';

/** One part of the suite, with a service, a link and processes of its own. */
export interface Phase {
  readonly name: string;
  /** What stands before the service. */
  readonly edge: EdgeName;
  readonly calls: number;
  /** With `--short`; 0 leaves the phase out, as it is left out with an edge where it has several processes. */
  readonly shortCalls: number;
  readonly processes: number;
  /** API keys: of each process if they are its own, else of all together. */
  readonly keys: number;
  readonly nonces: 'own' | 'leases' | 'shared';
  readonly nonceOrder: 'adaptive' | 'strict' | 'unordered';
  readonly transport: 'undici' | 'fetch';
  /** One process is killed in the middle and started again. */
  readonly kills: boolean;
  /** Who shares idempotency keys. Processes with API keys of their own use them together, so there the partner does. */
  readonly idempotencyKeys: 'partner' | 'apiKey';
  readonly rules: Rules;
}

/** The name of a phase among those of all edges. */
export const labelOf = ({ name, edge }: Phase): string => (edge === 'direct' ? name : `${name} ${edge}`);

const ORDINARY = {
  processes: 1,
  keys: 1,
  nonces: 'own',
  nonceOrder: 'adaptive',
  transport: 'undici',
  kills: false,
  idempotencyKeys: 'apiKey',
  rules: { refusals: 'never', providerFailures: false },
} as const satisfies Partial<Phase>;

const refusals = (allowed: Rules['refusals']): Rules => ({ refusals: allowed, providerFailures: false });

const SHARED = { ...ORDINARY, kills: true, rules: { refusals: 'never', providerFailures: true } } as const;

/**
 * How many calls the phase makes with `--short`: what processes share does not depend on the edge, and one that sends again is the serial
 * one otherwise.
 */
export function shortCallsOf({ shortCalls, processes, keys }: Omit<Phase, 'edge'>, edge: EdgeName): number {
  if (edge === 'direct') return shortCalls;
  return processes > 1 || (edge === 'resending' && keys === 1) ? 0 : shortCalls;
}

/** The phases, as they are with each edge. */
export const PHASES: readonly Omit<Phase, 'edge'>[] = [
  { ...ORDINARY, name: 'one', calls: 8_000, shortCalls: 400 },
  { ...ORDINARY, name: 'keys', calls: 6_000, shortCalls: 300, keys: 4 },
  { ...ORDINARY, name: 'strict', calls: 600, shortCalls: 120, nonceOrder: 'strict' },
  // No order is asked for, and this service has no window for late nonces.
  {
    ...ORDINARY,
    name: 'unordered',
    calls: 1_500,
    shortCalls: 150,
    nonceOrder: 'unordered',
    rules: refusals('allowed'),
  },
  // The platform decides about connections.
  { ...ORDINARY, name: 'fetch', calls: 1_500, shortCalls: 150, transport: 'fetch' },
  {
    ...ORDINARY,
    name: 'four',
    calls: 8_000,
    shortCalls: 0,
    processes: 4,
    keys: 2,
    kills: true,
    idempotencyKeys: 'partner',
  },
  { ...ORDINARY, name: 'eight', calls: 8_000, shortCalls: 0, processes: 8, kills: true, idempotencyKeys: 'partner' },
  {
    ...{ ...SHARED, name: 'leases', calls: 8_000, shortCalls: 240, processes: 4, keys: 8, nonces: 'leases' },
    idempotencyKeys: 'partner',
  },
  { ...SHARED, name: 'shared', calls: 8_000, shortCalls: 240, processes: 8, keys: 4, nonces: 'shared' },
];
