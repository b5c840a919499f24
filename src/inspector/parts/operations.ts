import { useEffect, useState } from 'preact/hooks';
import { readFile } from '../wire/api.js';

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

let asked: Promise<readonly KnownOperation[]> | undefined;

async function ask(): Promise<readonly KnownOperation[]> {
  const { paths }: Document = await readFile('openapi.json');
  const all = Object.values(paths).flatMap((methods) => Object.values(methods));
  return all
    .flatMap(({ operationId, summary }) =>
      operationId === undefined ? [] : [{ name: operationId, title: summary ?? operationId }],
    )
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** All operations by name, as the sandbox's `openapi.json` has them. None until they are read. */
export function useOperations(): readonly KnownOperation[] {
  const [operations, setOperations] = useState<readonly KnownOperation[]>([]);
  useEffect(() => {
    asked ??= ask();
    asked.then(setOperations, () => {
      asked = undefined;
    });
  }, []);
  return operations;
}
