import { readFile } from '../wire/api.js';
import { useReading } from './hooks.js';

/** An operation of the API. */
export interface KnownOperation {
  /** For example `accounts.quotes.get`. */
  readonly name: string;
  /** For example `Get quote`. */
  readonly title: string;
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId?: string; readonly summary?: string }>>>
  >;
}

async function readOperations(): Promise<readonly KnownOperation[]> {
  const { paths } = await readFile<Document>('openapi.json');
  const all = Object.values(paths).flatMap((methods) => Object.values(methods));
  return all
    .flatMap(({ operationId, summary }) =>
      operationId === undefined ? [] : [{ name: operationId, title: summary ?? operationId }],
    )
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** All operations by name, as the sandbox's `openapi.json` has them. None until they are read. */
export const useOperations = (): readonly KnownOperation[] =>
  useReading('openapi.json?operations', readOperations).data ?? [];
