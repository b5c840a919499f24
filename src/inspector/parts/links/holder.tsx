import { useMemo } from 'preact/hooks';
import type { SandboxResource } from '../../wire/sandbox.js';
import { useReading } from '../hooks.js';

/** The other side of the accounts. */
export const BOOKS = ['exchange', 'fees', 'outside'] as const;

export const isBook = (name: string): boolean => (BOOKS as readonly string[]).includes(name);

/** For example `customer-1001 main`. An account without any name has its id. */
export function ownerOf({ id, record }: SandboxResource): string {
  const { external_reference = '', name = '' } = record as {
    readonly external_reference?: string;
    readonly name?: string;
  };
  return `${external_reference} ${name}`.trim() || id;
}

/** The names of the holders of accounts, by the id of the account. */
export function useHolders(): ReadonlyMap<string, string> {
  const { data } = useReading<readonly SandboxResource[]>('resources/accounts');
  return useMemo(() => new Map((data ?? []).map((account) => [account.id, ownerOf(account)])), [data]);
}
