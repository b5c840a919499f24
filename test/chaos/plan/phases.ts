/**
 * What stands between the link and the service: nothing, an nginx, which takes a connection's requests in turn, one that
 * also sends the same request again when the service fails, or a proxy that speaks HTTP/2.
 */
export const EDGES = ['direct', 'serial', 'resending', 'http2'] as const;

export type EdgeName = (typeof EDGES)[number];

/** One part of the suite, with a service, a link and processes of its own. */
export interface Phase {
  readonly name: string;
  readonly edge: EdgeName;
  readonly calls: number;
  readonly processes: number;
  /** API keys: of each process if they are its own, else of all together. */
  readonly keys: number;
  readonly nonces: 'own' | 'leases' | 'shared';
  readonly nonceOrder: 'adaptive' | 'strict' | 'unordered';
  readonly transport: 'undici' | 'fetch';
}

/** The name of a phase among those of all edges. */
export const labelOf = ({ name, edge }: Phase): string => (edge === 'direct' ? name : `${name} ${edge}`);

/** One process is killed in the middle and started again. */
export const kills = ({ processes }: Phase): boolean => processes > 1;

const ALONE = { processes: 1, keys: 1, nonces: 'own', nonceOrder: 'adaptive', transport: 'undici' } as const;

interface Plan extends Omit<Phase, 'edge'> {
  /** With `--short`; 0 leaves the phase out. */
  readonly shortCalls: number;
}

const PHASES: readonly Plan[] = [
  { ...ALONE, name: 'one', calls: 8_000, shortCalls: 400 },
  { ...ALONE, name: 'keys', calls: 6_000, shortCalls: 300, keys: 4 },
  { ...ALONE, name: 'strict', calls: 600, shortCalls: 120, nonceOrder: 'strict' },
  { ...ALONE, name: 'unordered', calls: 1_500, shortCalls: 150, nonceOrder: 'unordered' },
  // The platform decides about connections.
  { ...ALONE, name: 'fetch', calls: 1_500, shortCalls: 150, transport: 'fetch' },
  { ...ALONE, name: 'four', calls: 8_000, shortCalls: 0, processes: 4, keys: 2 },
  { ...ALONE, name: 'eight', calls: 8_000, shortCalls: 0, processes: 8 },
  { ...ALONE, name: 'leases', calls: 8_000, shortCalls: 240, processes: 4, keys: 8, nonces: 'leases' },
  { ...ALONE, name: 'shared', calls: 8_000, shortCalls: 240, processes: 8, keys: 4, nonces: 'shared' },
];

export const PHASE_NAMES = PHASES.map(({ name }) => name);

/**
 * The phases as they are behind an edge. Short runs leave out what does not depend on it: what processes share, and most of an edge that
 * sends again, which is the serial one otherwise.
 */
export function phasesBehind(edge: EdgeName, isShort: boolean): Phase[] {
  return PHASES.flatMap(({ shortCalls, ...phase }) => {
    const isAlike = edge !== 'direct' && (phase.processes > 1 || (edge === 'resending' && phase.keys === 1));
    const calls = isShort ? (isAlike ? 0 : shortCalls) : phase.calls;
    return calls === 0 ? [] : [{ ...phase, edge, calls }];
  });
}
