import { useEffect, useState } from 'preact/hooks';

/** Where the page is: the view, and what of it. Written into the address as `#/timeline/17`. */
export interface Route {
  readonly view: string;
  readonly id: string | undefined;
}

function routeOf(hash: string): Route {
  const [view = '', id] = hash.replace(/^#\/?/, '').split('/');
  return { view: view === '' ? 'timeline' : view, id: id === undefined ? undefined : decoded(id) };
}

/** The address may have been written by hand. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const hrefOf = (view: string, id?: string | number): string =>
  id === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(id)}`;

export function go(view: string, id?: string | number): void {
  location.hash = hrefOf(view, id);
}

export const currentRoute = (): Route => routeOf(location.hash);

export function useRoute(): Route {
  const [route, setRoute] = useState(currentRoute);
  useEffect(() => {
    const look = () => setRoute(currentRoute());
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  return route;
}
