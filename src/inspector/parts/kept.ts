import { useCallback, useState } from 'preact/hooks';

const values = new Map<string, unknown>();

/** A state that survives a visit to another view. `name` is unique on the page. */
export function useKept<T>(name: string, first: T): [value: T, set: (value: T) => void] {
  const [value, setValue] = useState<T>(() => (values.has(name) ? (values.get(name) as T) : first));
  const set = useCallback(
    (next: T) => {
      values.set(name, next);
      setValue(() => next);
    },
    [name],
  );
  return [value, set];
}
