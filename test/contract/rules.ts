/** Describes JSON as the service takes it: written for this folder, so that no rule of the package is used. */
export type Rule =
  /** A string that matches. */
  | RegExp
  | 'string'
  | 'number'
  | 'boolean'
  | 'anything'
  | 'object'
  /** A list. In a query, a parameter that may be repeated. */
  | readonly [Rule]
  /** An object with these members alone. A name that ends in `?` may be absent; `...` allows any other name. */
  | { readonly [name: string]: Rule }
  /** The problem of a value, if it has one. */
  | ((value: unknown) => string | undefined);

export type Members = { readonly [name: string]: Rule };

export const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null ? undefined : problemsOf(rule, value, 'value')[0];

/** Returns what is wrong with a value, each with its path. */
export function problemsOf(rule: Rule, value: unknown, path: string): string[] {
  if (rule === 'anything') return value === undefined ? [`${path} is missing`] : [];
  if (typeof rule === 'function') return [rule(value)].flatMap((problem) => (problem ? [`${path}: ${problem}`] : []));
  if (rule instanceof RegExp) return typeof value === 'string' && rule.test(value) ? [] : [`${path} is not ${rule}`];
  if (rule === 'object') return isObject(value) ? [] : [`${path} is no object`];
  if (typeof rule === 'string') return typeof value === rule ? [] : [`${path} is no ${rule}`];
  if (Array.isArray(rule)) {
    const [item] = rule as readonly [Rule];
    if (!Array.isArray(value)) return [`${path} is no list`];
    return value.flatMap((one, index) => problemsOf(item, one, `${path}[${index}]`));
  }
  return isObject(value) ? membersProblems(rule as Members, value, path) : [`${path} is no object`];
}

function membersProblems(rules: Members, value: Readonly<Record<string, unknown>>, path: string): string[] {
  const names = Object.keys(rules).map((name) => name.replace(/\?$/, ''));
  const unknown = '...' in rules ? [] : Object.keys(value).filter((name) => !names.includes(name));
  return [
    ...unknown.map((name) => `${path}.${name} is not known`),
    ...Object.entries(rules).flatMap(([name, rule]) => {
      const member = name.replace(/\?$/, '');
      const absent = name === '...' || (name.endsWith('?') && value[member] === undefined);
      return absent ? [] : problemsOf(rule, value[member], `${path}.${member}`);
    }),
  ];
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a query: a repeated name or one whose rule is a list becomes a list, `a[0][b]` a list of objects. */
export function parseQuery(search: URLSearchParams, rules: Members = {}): Readonly<Record<string, unknown>> {
  const query: Record<string, unknown> = {};
  for (const [name, value] of search) {
    const [, list, index, member] = name.match(/^(\w+)\[(\d+)\]\[(\w+)\]$/) ?? [];
    if (list !== undefined && member !== undefined) {
      const items = (query[list] ?? []) as Record<string, string>[];
      items[Number(index)] = { ...items[Number(index)], [member]: value };
      query[list] = items;
    } else {
      const all = search.getAll(name);
      const rule = rules[name] ?? rules[`${name}?`];
      query[name] = all.length > 1 || Array.isArray(rule) ? all : value;
    }
  }
  return query;
}
