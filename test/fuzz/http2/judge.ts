import type { Ended, Ledger } from './ledger.js';

/** Returns what is wrong about the end of a call, or undefined. */
export function problemOf(ended: Ended, { effects }: Pick<Ledger, 'effects'>, slowMs: number): string | undefined {
  const { tag, kind, end, id, ms } = ended;
  const mine = effects[tag] ?? [];
  if (end === 'no error of ours') return 'an error of no class of ours';
  if (ms > slowMs) return `the call took ${Math.round(ms)} ms`;
  if (end === 'success' && id !== tag) return `the answer of another call: ${String(id)}`;
  if (kind === 'read') return end === 'success' || end === 'not_applied' ? undefined : `a read that is ${end}`;
  // A DELETE may be made again: its second effect is none.
  if (kind !== 'delete' && mine.length > 1) return `applied ${mine.length} times`;
  if (end === 'not_applied' && mine.length > 0) return 'not_applied, and the ledger has it';
  if ((end === 'success' || end === 'applied') && mine.length === 0) return `${end}, and the ledger has it not`;
  return undefined;
}
