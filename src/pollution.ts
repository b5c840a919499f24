import { type CallFacts, ConfigurationError } from './partner-error.js';
import { inNextTurn } from './runtime/immediate.js';
import { clipped, printable } from './util/printable.js';

/** Names that the language defines on `Object.prototype`, in V8's order. */
const NATIVE: readonly PropertyKey[] = [
  ...['constructor', '__defineGetter__', '__defineSetter__', 'hasOwnProperty', '__lookupGetter__', '__lookupSetter__'],
  ...['isPrototypeOf', 'propertyIsEnumerable', 'toString', 'valueOf', '__proto__', 'toLocaleString'],
];

/** Names that a message lists at most, and the characters of each. */
const MAX_SHOWN = 10;
const MAX_SHOWN_LENGTH = 60;

/**
 * Refuses a process whose `Object.prototype` has members that could change a call: enumerable ones,
 * and names that zod, undici, Node or the language look up. Other members do no harm, for example
 * `should`.
 *
 * Called before each step that hands objects to foreign code, the last one directly before the
 * bytes leave. It finds an enumerable member at once. It looks for others once in a turn of the
 * event loop, so one that is put there after that look is found in the next turn.
 *
 * @throws ConfigurationError that names the members.
 */
export function refusePollution(factsOf?: () => CallFacts): void {
  if (addedNames().length > 0) refusePollutionNow(factsOf?.());
}

/** As `refusePollution`, by a look of its own: it finds every member that is there now. */
export function refusePollutionNow(facts?: CallFacts): void {
  const names = pollution();
  if (names.length > 0) throw new ConfigurationError(messageOn(names), facts);
}

/** Refuses only enumerable members: for code that hands no object to anything but the language. */
export function refuseEnumerable(): void {
  if (hasEnumerable()) throw new ConfigurationError(messageOn(Object.keys(Object.prototype)));
}

/** Returns the names on `Object.prototype` that are refused now. */
export function pollution(): readonly PropertyKey[] {
  return addedNamesNow().filter(isRefused);
}

/** True if this turn of the event loop has found that nothing was added. */
let isKnownClean = false;

/**
 * Returns the names that others have put on `Object.prototype`. For names that cannot be
 * enumerated, it looks once a turn. With a look at each of its four steps, a call would cost
 * 8 % more CPU (`npm run bench -- --cells quote:64`).
 */
export function addedNames(): readonly PropertyKey[] {
  if (isKnownClean && !hasEnumerable()) return NONE;
  const names = addedNamesNow();
  if (names.length === 0 && inNextTurn !== undefined) {
    isKnownClean = true;
    inNextTurn(lookAgain);
  }
  return names;
}

function lookAgain(): void {
  isKnownClean = false;
}

function hasEnumerable(): boolean {
  for (const _ in {}) return true;
  return false;
}

function addedNamesNow(): readonly PropertyKey[] {
  const names = Reflect.ownKeys(Object.prototype);
  return isNative(names) ? NONE : names.filter((name) => !NATIVE.includes(name));
}

const NONE: readonly PropertyKey[] = [];

/**
 * V8 lists numbers first, then texts in the order in which they were added, then symbols. So in a
 * list of the native length, an added name is first or last, whichever name was deleted for it.
 */
function isNative(names: readonly PropertyKey[]): boolean {
  return names.length === NATIVE.length && names[0] === NATIVE[0] && names.at(-1) === NATIVE.at(-1);
}

/** Lists of names, each as one text: a set is made of them when it is needed. */
const lists: string[] = [];
let namesRead: ReadonlySet<PropertyKey> | undefined;

/** Refuses these names, too: the code of a transport looks them up. */
export function refuseNames(names: string): void {
  lists.push(names);
  namesRead = undefined;
}

function isRefused(name: PropertyKey): boolean {
  namesRead ??= new Set([NAMES_READ, ...lists].join(' ').trim().split(/\s+/));
  if (typeof name === 'symbol') return Reflect.ownKeys(Symbol).some((one) => Reflect.get(Symbol, one) === name);
  return namesRead.has(name) || Reflect.apply(Object.prototype.propertyIsEnumerable, Object.prototype, [name]);
}

export function messageOn(names: readonly PropertyKey[]): string {
  const shown = names.slice(0, MAX_SHOWN).map((name) => printable(clipped(String(name), MAX_SHOWN_LENGTH)));
  const more = names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : '';
  return `Object.prototype has ${shown.join(', ')}${more}: every object seems to have these members. Remove the code that puts them there`;
}

/**
 * Names that the language, zod, this package and the platform's `fetch` look up on objects that may
 * lack them, in options above all. `test/pollution` finds them by experiment.
 */
const NAMES_READ = `
  0 1 2 3 4 _zod abort abortEarly aborted array bag body cache catchall cause check checks code coerce configurable
  content-encoding content-length content-type continue credentials customError data date deferred direction done
  duplex enumerable error errors final fn format get headers input inst integrity keepalive key length localeError
  memo memoizer message method mode name next object onattach optin options optout origin parent path pattern priority
  raw redirect referrer referrerPolicy reportInput return schema set signal skipChecks status statusText then toJSON
  toStringTag transform value webSocket when window writable
`;
