import type { AnyKind, Group } from '../core/kind/kind.js';
import { onchainQuotes, type SandboxOnchainQuotes } from './onchain-quotes.js';
import { quotes, type SandboxQuotes } from './quotes.js';
import { type SandboxTransfers, transfers } from './transfers.js';

/** All kinds of resources: each is registered here, once. */
export const KINDS: readonly AnyKind[] = [quotes, onchainQuotes, transfers] as readonly unknown[] as readonly AnyKind[];

/** Groups of methods that are about no kind. */
export const GROUPS: readonly Group[] = [];

/** The methods of resources, by group. */
export interface KindControls {
  readonly quotes: SandboxQuotes;
  readonly onchainQuotes: SandboxOnchainQuotes;
  readonly transfers: SandboxTransfers;
}
