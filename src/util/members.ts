/**
 * Reads what a caller hands in. Members of the object and of its classes count; those of `Object.prototype` do not, since a faulty
 * dependency may have put any name there (prototype pollution).
 */

/**
 * The base of objects that inherit nothing. V8 keeps its instances in fast mode, unlike `Object.create(null)`: a copy of three members
 * takes 60 ns.
 */
export class Bare {}
Object.setPrototypeOf(Bare.prototype, null);
Reflect.deleteProperty(Bare.prototype, 'constructor');

/** Members that were copied, in an object without a prototype. */
export type Members = Record<string, unknown>;

type Method = (...args: unknown[]) => unknown;

const NO_NAMES: ReadonlySet<string> = new Set();

/** A member of the object or of its classes, with its getter run; undefined when only `Object.prototype` has one. */
export function readMember(object: object, name: string): unknown {
  for (let level = object; !isRoot(level); level = Object.getPrototypeOf(level) as object) {
    if (Object.hasOwn(level, name)) return (object as Members)[name];
  }
  return undefined;
}

/** The method of that name, bound to its object; undefined when the object has none. */
export function methodOf(object: object, name: string): Method | undefined {
  const method = readMember(object, name);
  return typeof method === 'function' ? (method.bind(object) as Method) : undefined;
}

/** True for an object that has this method, its own or of its class. */
export function hasMethod(value: unknown, name: string): value is object {
  return typeof value === 'object' && value !== null && typeof readMember(value, name) === 'function';
}

/**
 * Copies the members that can be enumerated, and those of these names in any case (getters of a class cannot be enumerated). Each is
 * read once.
 */
export function copyMembers(object: object, names: { has(name: string): boolean } = NO_NAMES): Members {
  const copy = new Bare() as Members;
  for (let level = object; !isRoot(level); level = Object.getPrototypeOf(level) as object) {
    for (const name of Object.getOwnPropertyNames(level)) {
      if (Object.hasOwn(copy, name)) continue;
      if (names.has(name) || isEnumerable(level, name)) copy[name] = (object as Members)[name];
    }
  }
  return copy;
}

/** The value of an own member, however the object came by its prototype. */
export function ownMember<T extends object, Name extends keyof T>(object: T, name: Name): T[Name] | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** True for an object that no class has made. */
export function isPlain(object: object): boolean {
  return isRoot(Object.getPrototypeOf(object) as object | null);
}

/** True at the end of a prototype chain: `null`, or an `Object.prototype`, also that of another realm (`node:vm`). */
function isRoot(level: object | null): level is null {
  if (level === null || level === Object.prototype) return true;
  return Object.getPrototypeOf(level) === null && Object.hasOwn(level, '__lookupGetter__');
}

const isEnumerable = (object: object, name: string): boolean =>
  Reflect.apply(Object.prototype.propertyIsEnumerable, object, [name]);

/** What the language itself defines on `Object.prototype`, in V8's order. */
const NATIVE: readonly PropertyKey[] = [
  ...['constructor', '__defineGetter__', '__defineSetter__', 'hasOwnProperty', '__lookupGetter__', '__lookupSetter__'],
  ...['isPrototypeOf', 'propertyIsEnumerable', 'toString', 'valueOf', '__proto__', 'toLocaleString'],
];

/**
 * Takes what others have put on `Object.prototype` away, and gives the function that puts it back; undefined when there is nothing.
 *
 * For code of others that reads plain objects: zod looks up switches of its own (with `memo` or `skipChecks` there it skips the rules of a
 * schema), `node:net` its options; and for answers, in which a missing member would be found there. No code of the application may run in
 * between, and nothing asynchronous. Looking takes 0.2 µs. What cannot be deleted stays.
 */
export function hidePollution(): (() => void) | undefined {
  const names = Reflect.ownKeys(Object.prototype);
  if (isNative(names)) return undefined;
  const hidden = new Map<PropertyKey, PropertyDescriptor>();
  for (const name of names) {
    const descriptor = NATIVE.includes(name) ? undefined : Reflect.getOwnPropertyDescriptor(Object.prototype, name);
    if (descriptor !== undefined) hidden.set(name, Object.setPrototypeOf(descriptor, null));
  }
  if (hidden.size === 0) return undefined;
  for (const name of hidden.keys()) Reflect.deleteProperty(Object.prototype, name);
  return () => {
    for (const [name, descriptor] of hidden) Reflect.defineProperty(Object.prototype, name, descriptor);
  };
}

/**
 * V8 lists numbers first, then texts in the order in which they were added, then symbols. So in a list of the native length an added name
 * would stand first or last, whatever was deleted for it.
 */
function isNative(names: readonly PropertyKey[]): boolean {
  return names.length === NATIVE.length && names[0] === NATIVE[0] && names.at(-1) === NATIVE.at(-1);
}
