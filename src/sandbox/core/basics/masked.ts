import { isRecord } from '../../../util/options.js';
import { clipped } from '../../../util/printable.js';

/** Text that replaces a secret. */
export const MASK = '***';

/** Names of members and arguments that hold secrets. */
const SECRET_NAME = /secret|password|otp$/i;

/** The name of a secret from its telling word on, with its value, which may be cut off. */
const SECRET_MEMBER = /((?:(?:secret|password)(?:(?!secret|password)(?:[^"\\]|\\.))*|otp)"\s*:\s*")(?:[^"\\]|\\.)*/gi;

/** Maximum depth that is copied; deeper values become `…`, as do values beyond the other limits. */
const MAX_DEPTH = 6;
const MAX_MEMBERS = 100;
const MAX_TEXT_LENGTH = 1_000;

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** Masks the secrets in JSON text by the names of their members. */
export const maskedText = (text: string): string => text.replace(SECRET_MEMBER, `$1${MASK}`);

/** Copies a JSON value without its secrets, shortened to what a reader needs. */
export function maskedValue(value: unknown, depth: number = MAX_DEPTH): unknown {
  if (typeof value === 'string') return maskedText(clipped(value, MAX_TEXT_LENGTH));
  if (Array.isArray(value)) {
    if (depth === 0) return '…';
    const items = value.slice(0, MAX_MEMBERS).map((item) => maskedValue(item, depth - 1));
    return value.length > MAX_MEMBERS ? [...items, '…'] : items;
  }
  if (!isRecord(value)) return value;
  if (depth === 0) return '…';
  const members = Object.entries(value).slice(0, MAX_MEMBERS);
  return Object.fromEntries(
    members.map(([name, member]) => [
      clipped(name, MAX_TEXT_LENGTH),
      isSecretName(name) ? MASK : maskedValue(member, depth - 1),
    ]),
  );
}
