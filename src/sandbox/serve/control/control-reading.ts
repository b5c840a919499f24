import { FILTERS } from './control-filters.js';
import { type ControlMethod, METHODS, READABLE } from './control-routes.js';

/** Methods that read their group: `faults/list` and `faults` are the same. */
const READING_MEMBERS = ['list', 'get', 'level', 'status', 'run', 'kinds'] as const;

/** Readable paths whose method has another name. */
const OTHER_NAMES = [
  ['webhooks/deliveries', 'webhooks/listDeliveries'],
  ['journal', 'requests/list'],
] as const;

/** The path of the method for each readable path. */
const METHOD_PATHS: ReadonlyMap<string, string> = new Map<string, string>([
  ...OTHER_NAMES,
  ...[...READABLE.keys()].flatMap((path): [string, string][] => {
    const [found] = READING_MEMBERS.map((name) => `${path}/${name}`).filter((one) => METHODS.get(one)?.needed === 0);
    return found === undefined ? [] : [[path, found]];
  }),
]);

/** The readable path of each of these methods. */
const READABLE_PATHS: ReadonlyMap<string, string> = new Map(
  Array.from(METHOD_PATHS, ([path, method]) => [method, path]),
);

/** The paths of methods that are also served for GET. */
export const READ_METHODS: readonly string[] = [...READABLE_PATHS.keys()];

/** Returns the path of the method that GET calls for a path. Undefined: there is none. */
export const readingMethod = (path: string): string | undefined => METHOD_PATHS.get(path);

/** Returns the path of the member that GET reads. Undefined if GET reads nothing there. */
export const readablePath = (path: string): string | undefined =>
  READABLE.has(path) ? path : READABLE_PATHS.get(path);

/** Returns the method that POST calls. A member that GET can read is called with its filter. */
export function methodAt(path: string): ControlMethod | undefined {
  const method = METHODS.get(path) ?? METHODS.get(readingMethod(path) ?? '');
  if (method !== undefined) return method;
  const read = READABLE.get(path);
  if (read === undefined) return undefined;
  return {
    name: path.replaceAll('/', '.'),
    args: FILTERS.has(path) ? ['filter'] : [],
    needed: 0,
    call: (sandbox, [filter = {}]) => read(sandbox, filter as Readonly<Record<string, unknown>>),
  };
}
