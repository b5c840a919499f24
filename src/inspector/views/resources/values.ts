import { grouped } from '../../parts/values/decimal.js';

/** Writes a value of a record in a few words: `250.00 USD`. */
export function brief(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(brief).join(', ');
  if (typeof value !== 'object') return String(value);
  const { symbol, amount, asset, ...rest } = value as Readonly<Record<string, unknown>>;
  if (symbol !== undefined)
    return [typeof amount === 'string' ? grouped(amount) : amount, symbol]
      .filter((part) => part !== undefined)
      .join(' ');
  return (asset === undefined ? Object.values(rest) : [asset]).map(brief).join(' ');
}

/** Returns the member at a path: `trade.from`. */
export const memberOf = (record: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((owner, name) => (owner as Readonly<Record<string, unknown>> | null | undefined)?.[name], record);

/** Returns every member that has no members of its own, with its path: `from.amount`. */
export function membersOf(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  const members = Object.entries(value);
  if (members.length === 0) return path === '' ? [] : [[path, Array.isArray(value) ? 'none' : '{}']];
  return members.flatMap(([name, member]) => membersOf(member, path === '' ? name : `${path}.${name}`));
}

/** `onDemandConversions` as words: `on demand conversions`. */
const wordsOf = (kind: string): string => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The name of a kind or an action as a title: `On demand conversions`, `Keep pending`. */
export const labelOf = (name: string): string => {
  const words = wordsOf(name);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const GOOD = /^(executed|completed|approved|active|delivered|ok|verified|credited|enabled|linked|eligible|settled)$/;
const BAD = /fail|reject|expired|blocked|cancel|revoked|removed|disabled|ineligible|closed/;

/** The colour of a state: an end that is good, one that is not, or something under way. */
export function toneOf(status: string): 'good' | 'bad' | 'warn' {
  if (BAD.test(status)) return 'bad';
  return GOOD.test(status) ? 'good' : 'warn';
}
