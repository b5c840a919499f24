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
