import type { SandboxFixtures } from '../../../src/sandbox/index.js';
import type { CallEnd } from '../judge/evidence.js';
import type { Phase } from '../plan/phases.js';
import type { Course } from '../plan/plan.js';
import type { Sabotage } from './sabotage.js';

/** Calls whose number modulo `processes` is `process` are this worker's. */
export interface Task extends Course, Omit<Phase, 'name' | 'edge' | 'keys'> {
  readonly fixtures: SandboxFixtures;
  readonly url: string;
  /** The certificate that the edge shows; undefined without TLS. */
  readonly ca: string | undefined;
  readonly credentials: readonly { readonly apiKey: string; readonly apiSecret: string }[];
  /** Where nonces are shared. */
  readonly redisPort: number | undefined;
  readonly process: number;
  /** How often this worker was started before. */
  readonly incarnation: number;
  /** Calls of an earlier start that are over, or must not be made again. */
  readonly skip: readonly number[];
  /** How the worker is broken on purpose. */
  readonly sabotage: readonly Sabotage[];
}

export type WorkerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'began'; readonly id: number }
  | { readonly type: 'ended'; readonly end: CallEnd }
  | { readonly type: 'incident'; readonly what: string }
  /** With what is left after `close()`: names of resources, listeners on signals. */
  | { readonly type: 'done'; readonly left: readonly string[] };
