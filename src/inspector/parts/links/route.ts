import { useLayoutEffect, useState } from 'preact/hooks';

/**
 * The view and the item in it that the hash of the URL names: `#/timeline/17`,
 * `#/resources/quote/5f0c`.
 */
interface Route {
  readonly view: string;
  readonly id: string | undefined;
}

function routeOf(hash: string): Route {
  const [view = '', ...id] = hash.replace(/^#\/?/, '').split('/');
  return { view: view === '' ? 'timeline' : view, id: id.length === 0 ? undefined : id.map(decoded).join('/') };
}

/** Decodes percent-encoding. Text that is not encoded UTF-8 stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The link to a view, or to an item in it: `hrefOf('resources', 'quote', id)`. */
export const hrefOf = (view: string, ...id: readonly (string | number)[]): string =>
  ['#', view, ...id.map(encodeURIComponent)].join('/');

export function go(view: string, ...id: readonly (string | number)[]): void {
  location.hash = hrefOf(view, ...id);
}

/** As `go`, without an entry in the history. */
export function replace(view: string, ...id: readonly (string | number)[]): void {
  location.replace(hrefOf(view, ...id));
}

export const currentRoute = (): Route => routeOf(location.hash);

export function useRoute(): Route {
  const [route, setRoute] = useState(currentRoute);
  // Before the page is painted: the user may go on before an effect has run.
  useLayoutEffect(() => {
    const look = () => setRoute(currentRoute());
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  return route;
}
