/** The key of the method that `util.inspect`, and so `console.log`, calls to show an object. */
export const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

/** The `util.inspect` that Node hands to that method. */
export type Inspect = (value: unknown, options: object) => string;

/** Sets the form in which `console.log` shows an object, or by its prototype a whole class. */
export function showAs<T extends object>(
  object: T,
  show: (value: T, options: object, inspect: Inspect) => string,
): void {
  Object.defineProperty(object, INSPECT, {
    value(this: T, _depth: number, options: object, inspect: Inspect) {
      return show(this, options, inspect);
    },
  });
}

/** Returns the methods of an object and of its members, for example `get, waitFor, assets.list`. */
export function methodsOf(object: object, prefix: string = ''): string[] {
  const prototype = Object.getPrototypeOf(object) as object;
  const own = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
  const groups = Object.entries(object).flatMap(([name, group]) => methodsOf(group as object, `${prefix}${name}.`));
  return [...own.map((name) => prefix + name), ...groups];
}
