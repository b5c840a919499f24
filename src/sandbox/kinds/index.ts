import type { AnyKind } from '../core/kind/kind.js';
import { moveMethods } from '../core/kind/moves.js';
import type { State } from '../core/records/state.js';
import { type SandboxTransfers, transfers } from './transfers.js';

/** All kinds of resources: each is registered here, once. */
export const KINDS: readonly AnyKind[] = [transfers] as readonly unknown[] as readonly AnyKind[];

/** The methods of resources, by kind. */
export interface KindControls {
  readonly transfers: SandboxTransfers;
}

/** Makes the methods of all kinds. The cast is sound: each kind has a move for each method. */
export const kindControls = (state: State): KindControls =>
  Object.fromEntries(KINDS.map((kind) => [kind.name, moveMethods(state, kind)])) as unknown as KindControls;
