import { type ReadonlySignal, signal } from '@preact/signals';

/**
 * What the address names: `#/resources/quotes/5f0c?tab=life` is a view, an item in it, and its
 * query.
 */
interface Address {
  readonly view: string;
  /** `quotes/5f0c`. */
  readonly id: string | undefined;
  /** Filters, tabs and open rows of this view alone. */
  readonly query: URLSearchParams;
}

const FIRST_VIEW = 'requests';

function read(): Address {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [view = '', ...id] = path.split('/');
  return {
    view: view === '' ? FIRST_VIEW : view,
    id: id.length === 0 ? undefined : id.map(decoded).join('/'),
    query: new URLSearchParams(query),
  };
}

/** Decodes percent-encoding. Text that is not encoded UTF-8 stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const current = signal(read());

/** The address as it stands. Whoever reads its value is drawn again when it changes. */
export const address: ReadonlySignal<Address> = current;

const look = (): void => {
  current.value = read();
};

for (const event of ['popstate', 'hashchange']) addEventListener(event, look);

type Place = string | number;

/**
 * The link to a view, or to an item in it, without filters: `hrefOf('resources', 'quotes', id)`.
 */
export const hrefOf = (view: string, ...id: readonly Place[]): string =>
  ['#', view, ...id.map(encodeURIComponent)].join('/');

/** The link to another item of the same view, or to none. Its filters stay. */
export const hrefHere = (...id: readonly Place[]): string => withQuery(hrefOf(current.value.view, ...id), {});

/** Adds texts to the query of this view; an empty one goes. */
function withQuery(href: string, changes: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(current.peek().query);
  for (const [name, text] of Object.entries(changes)) {
    if (text === '') query.delete(name);
    else query.set(name, text);
  }
  return query.size === 0 ? href : `${href}?${query}`;
}

/**
 * Changes by one hand within this time are one step of the history: letters of a search, steps
 * through a list.
 */
const ONE_STEP_MS = 1_000;

let last = { hand: '', at: Number.NEGATIVE_INFINITY };

function show(href: string, hand: string): void {
  const now = performance.now();
  const isSameStep = hand !== '' && hand === last.hand && now - last.at < ONE_STEP_MS;
  last = { hand, at: now };
  if (isSameStep) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  look();
}

/** Goes to a view, or to an item in it, without filters. */
export const go = (view: string, ...id: readonly Place[]): void => show(hrefOf(view, ...id), '');

/** Goes to another item of the same view. Quick steps one after another are one step back. */
export const step = (...id: readonly Place[]): void => show(hrefHere(...id), 'step');

/** Sets several texts of the query at once. */
export const setQuery = (changes: Readonly<Record<string, string>>): void =>
  show(withQuery(hrefOf(current.peek().view, ...itemOf(current.peek())), changes), Object.keys(changes).join());

const itemOf = ({ id }: Address): readonly string[] => (id === undefined ? [] : id.split('/'));

/** A text in the query of the address, such as a filter or a tab. */
export interface Addressed {
  /** Whoever reads it is drawn again when it changes. */
  readonly value: string;
  set(next: string): void;
}

/** @param initial The text that stands for nothing in the address. */
export const addressed = (name: string, initial = ''): Addressed => ({
  get value() {
    return current.value.query.get(name) ?? initial;
  },
  set: (next) => setQuery({ [name]: next === initial ? '' : next }),
});
