import { useCallback, useState } from 'preact/hooks';

type Texts = Readonly<Record<string, string>>;

/**
 * A state in the query of the URL, so that it survives a reload and can be shared. Links within
 * the page change only the hash, so they keep it. Initial values are left out.
 *
 * @param view Prefix of its names in the query.
 */
export function useAddressed<T extends { readonly [Name in keyof T]: string }>(
  view: string,
  first: T,
): [value: T, set: (value: T) => void] {
  const [value, setValue] = useState<T>(() => {
    const given = new URLSearchParams(location.search);
    const read = Object.entries<string>(first).map(([name, text]) => [name, given.get(`${view}.${name}`) ?? text]);
    return Object.fromEntries(read) as T;
  });
  const set = useCallback(
    (next: T) => {
      write(view, next, first);
      setValue(() => next);
    },
    [view],
  );
  return [value, set];
}

function write(view: string, next: Texts, first: Texts): void {
  const params = new URLSearchParams(location.search);
  for (const [name, text] of Object.entries(next)) {
    if (text === first[name]) params.delete(`${view}.${name}`);
    else params.set(`${view}.${name}`, text);
  }
  const search = params.size === 0 ? '' : `?${params}`;
  history.replaceState(history.state, '', `${location.pathname}${search}${location.hash}`);
}
