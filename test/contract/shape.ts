import { isObject } from './rules.js';

/** What a string of a sample looks like. Another string in its place must look alike. */
const KINDS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['decimal', /^-?\d+(\.\d+)?$/],
  ['time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['UUID', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i],
  ['URL', /^https?:\/\//],
];

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value !== 'string') return typeof value;
  return KINDS.find(([, pattern]) => pattern.test(value))?.[0] ?? 'string';
}

/**
 * Returns where an answer has another form than the sample: another type of JSON, a string of
 * another look, a member that is missing. A member of `optional` (its path, without the indexes of
 * lists) may be missing, and so may `next_page_token`, on the last page. Of a list, each item is compared with the first one of the sample.
 */
export function differences(sample: unknown, found: unknown, optional: readonly string[] = [], path = ''): string[] {
  if (sample === null || sample === undefined || (found === null && optional.includes(path))) return [];
  if (Array.isArray(sample) && Array.isArray(found)) {
    if (sample.length === 0) return [];
    return [...new Set(found.flatMap((item) => differences(sample[0], item, optional, path)))];
  }
  if (isObject(sample) && isObject(found)) {
    return Object.entries(sample).flatMap(([name, value]) => {
      const at = path === '' ? name : `${path}.${name}`;
      if (value === undefined || value === null) return [];
      if (found[name] === undefined)
        return optional.includes(at) || name === 'next_page_token' ? [] : [`${at} is missing`];
      return differences(value, found[name], optional, at);
    });
  }
  const [wanted, is] = [kindOf(sample), kindOf(found)];
  const alike = wanted === is || (wanted === 'string' && typeof found === 'string');
  return alike ? [] : [`${path} is a ${is}, not a ${wanted}: ${JSON.stringify(found)}`];
}
