// Old names, until every view uses the new ones.
import { address, setQuery } from '../wire/address.js';

export function useAddressed<T extends { readonly [Name in keyof T]: string }>(
  _view: string,
  first: T,
): [value: T, set: (value: T) => void] {
  const { query } = address.value;
  const value = Object.fromEntries(
    Object.entries<string>(first).map(([name, text]) => [name, query.get(name) ?? text]),
  ) as T;
  const set = (next: T) =>
    setQuery(
      Object.fromEntries(
        Object.entries<string>(next).map(([name, text]) => [
          name,
          text === (first as Record<string, string>)[name] ? '' : text,
        ]),
      ),
    );
  return [value, set];
}
