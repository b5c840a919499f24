/** What Node's `util.inspect`, and so `console.log`, asks an object for. */
export const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

/** Node's `util.inspect`, as it is handed to an object that shows itself. */
export type Inspect = (value: unknown, options: object) => string;

/** Lets `console.log` show an object, or all objects of a class by its prototype, in a form of their own. */
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

/** The methods of an object and of the objects in it, for instance `get, waitFor, assets.list`. */
export function methodsOf(object: object, prefix: string = ''): string[] {
  const prototype = Object.getPrototypeOf(object) as object;
  const own = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
  const groups = Object.entries(object).flatMap(([name, group]) => methodsOf(group as object, `${prefix}${name}.`));
  return [...own.map((name) => prefix + name), ...groups];
}
