import { grouped } from '../../parts/values/amounts.js';
import { momentOf } from '../../parts/values/times.js';
import { capitalised } from '../../parts/values/words.js';

/** A higher number is a moment in ms since the epoch. */
const LEAST_MOMENT = 1e12;

/** Writes a value of a record in a few words: `250.00 USD`, `via ach, reference R1`. */
export function brief(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(brief).join(', ');
  if (typeof value === 'number' && value > LEAST_MOMENT) return momentOf(value);
  if (typeof value !== 'object') return String(value);
  const { symbol, amount, base, quote, price, ...rest } = value as Readonly<Record<string, unknown>>;
  if (typeof symbol === 'string') return typeof amount === 'string' ? `${grouped(amount)} ${symbol}` : symbol;
  if (price !== undefined) return `${brief(price)} ${brief(quote)} per ${brief(base)}`;
  return Object.entries(rest)
    .map(([name, member]) => `${wordsOf(name)} ${brief(member)}`)
    .join(', ');
}

/** Returns the member at a path: `trade.from`. */
export const memberOf = (record: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((owner, name) => (owner as Readonly<Record<string, unknown>> | null | undefined)?.[name], record);

/** Members that say what a resource is, the first that there is. */
const NAMES = ['institution.name', 'key', 'maximum_amount', 'asset', 'address', 'url'];

/** Says what a resource is, for example `0.0021 BTC to cold`. Empty: nothing tells it. */
export function whatOf(record: unknown): string {
  const at = (path: string): string => brief(memberOf(record, path));
  const [from, to] = ['from', 'to'].map((side) => at(`${side}.asset`) || at(side) || at(`trade.${side}`));
  if (from && to) return `${from} → ${to}`;
  if (at('amount')) return `${grouped(at('amount'))} ${at('symbol')}${at('key') && ` to ${at('key')}`}`;
  const own = `${at('external_reference')} ${at('name')}`.trim();
  return own || (NAMES.map(at).find(Boolean) ?? '');
}

/** `onDemandConversions` and `expires_at` as words. */
export const wordsOf = (name: string): string =>
  name.replaceAll('_', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The name of a kind or an action as a title: `On demand conversions`, `Keep pending`. */
export const labelOf = (name: string): string => capitalised(wordsOf(name));
