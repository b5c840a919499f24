import type { Issue } from '../errors.js';
import { Decimal } from '../schema/decimal.js';
import { writtenOut } from '../schema/parse-decimal.js';
import { encodeComponent, hasLoneSurrogate } from './path.js';

/** `?name=value&…` in the order of the members: arrays as repeated names, undefined left out; `''` when nothing is left. */
export function encodeQuery(query: unknown, issues: Issue[]): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === undefined) continue;
      const text = queryText(one);
      if (text === undefined || hasLoneSurrogate(text) || hasLoneSurrogate(name)) {
        issues.push({
          path: name,
          message:
            'must be well-formed text, a finite number, a boolean, a Decimal of at most 256 digits, or an array of them',
        });
      } else {
        pairs.push(`${encodeComponent(name)}=${encodeComponent(text)}`);
      }
    }
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function queryText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return Decimal.isDecimal(value) ? writtenOut(value as Decimal) : undefined;
}
