import type { SandboxFixtures } from '../../../src/sandbox/index.js';
import type { CallEnd, WorkerReport } from '../judge/evidence.js';
import type { Sabotage } from './sabotage.js';

export interface Task {
  readonly seed: number;
  readonly phase: string;
  readonly resumable: boolean;
  readonly calls: number;
  readonly fixtures: SandboxFixtures;
  readonly url: string;
  /** The certificate that the edge shows; undefined without TLS. */
  readonly ca: string | undefined;
  readonly credentials: readonly { readonly apiKey: string; readonly apiSecret: string }[];
  readonly nonceOrder: 'adaptive' | 'strict' | 'unordered';
  readonly transport: 'undici' | 'fetch';
  readonly nonces: 'own' | 'leases' | 'shared';
  /** Where nonces are shared. */
  readonly redisPort: number | undefined;
  /** Calls whose number modulo `processes` is `process` are this worker's. */
  readonly process: number;
  readonly processes: number;
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
  | { readonly type: 'done'; readonly report: WorkerReport };
