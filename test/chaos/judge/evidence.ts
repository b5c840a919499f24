import type { JournalEntry } from '../../../src/sandbox/index.js';
import type { Phase } from '../plan/phases.js';
import type { CallPlan } from '../plan/plan.js';

/** How one call ended, as the process that made it saw it. */
export interface CallEnd {
  readonly id: number;
  /** The call and how often its process had been started: the requests of it carry this. */
  readonly tag: string;
  readonly ok: boolean;
  /** Undefined for what has no single answer. */
  readonly attempts: number | undefined;
  readonly idempotencyKey: string | undefined;
  /** What its answer says, where that is the answer of another call. */
  readonly foreign: string | undefined;
  readonly error: EndError | undefined;
}

export interface EndError {
  readonly name: string;
  readonly message: string;
  /** It is one of the SDK's. */
  readonly partner: boolean;
  readonly outcome: string | undefined;
  readonly status: number | undefined;
  /** Why each attempt failed, in order. */
  readonly failures: readonly string[];
  readonly cause: string | undefined;
}

/** The header that carries a call's tag; the service does not know it. */
export const TAG = 'x-chaos-call';

/** One request as it came into the link, or to an edge where the link cannot read it. */
export interface WireRequest {
  readonly connection: number;
  readonly method: string;
  readonly path: string;
  readonly apiKey: string;
  readonly nonce: string;
  readonly key: string | undefined;
  readonly tag: string;
  /** Milliseconds since the phase began. */
  readonly at: number;
}

/** The request with these headers. */
export function wireRequest(
  { connection, at, method, path }: Pick<WireRequest, 'connection' | 'at' | 'method' | 'path'>,
  headerOf: (name: string) => string | undefined,
): WireRequest {
  const [apiKey = '', nonce = '', tag = ''] = ['api-key', 'api-nonce', TAG].map(headerOf);
  return { connection, at: Math.round(at), method, path, apiKey, nonce, key: headerOf('idempotency-key'), tag };
}

/** All that is known of one phase when everything has come to rest. */
export interface Evidence {
  readonly phase: Phase;
  readonly plans: readonly CallPlan[];
  readonly ends: readonly CallEnd[];
  /** Calls of which no end is asked: a killed process had begun them, and repeating them is not safe. */
  readonly excused: ReadonlySet<number>;
  /** How often each effect is there. */
  readonly effects: ReadonlyMap<string, number>;
  /** The name of the effect that a call is after; undefined for reads. */
  readonly effectOf: (plan: CallPlan) => string | undefined;
  readonly journal: readonly JournalEntry[];
  readonly wire: readonly WireRequest[];
  /** Unhandled rejections, uncaught exceptions and warnings of any process, and processes that ended in an unforeseen way. */
  readonly incidents: readonly string[];
  /** What is left open at the link, what a client has left behind after `close()`, and processes that do not end. */
  readonly left: readonly string[];
  /** How often each kind of fault struck: a run without faults proves nothing. */
  readonly faults: ReadonlyMap<string, number>;
}
