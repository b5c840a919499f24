import type { PreparedCall } from '../request/prepare.js';
import { isRecord } from '../util/options.js';

/** Names of ids that say for whom a write is made, not what it makes. */
const OF_OTHERS: ReadonlySet<string> = new Set(['account_id', 'user_id', 'partner_id', 'method_id']);

/** Longer texts are not ids. */
const MAX_ID_LENGTH = 200;

/** Returns the ids of what a write made or changed, each once. */
export function idsOf({ template, path }: Pick<PreparedCall, 'template' | 'path'>, value: unknown): string[] {
  const inPath = lastParameter(template, path);
  const members = isRecord(value) ? Object.entries(value) : [];
  const inAnswer = members.filter(([name]) => /(^|_)id$/.test(name) && !OF_OTHERS.has(name)).map(([, id]) => id);
  const ids = [...inAnswer, inPath].filter((id) => typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH);
  return [...new Set(ids as string[])];
}

/** The last parameter of a path, unless it is the account's or user's. */
function lastParameter(template: string, path: string): string | undefined {
  const names = template.split('/');
  const place = names.findLastIndex((part) => part.startsWith('{'));
  if (place < 0 || OF_OTHERS.has(names[place]?.slice(1, -1) ?? '')) return undefined;
  // `baseUrl` may add a prefix to the path, so the segments are counted from the end.
  const parts = path.split('?')[0]?.split('/') ?? [];
  const text = parts[parts.length - (names.length - place)];
  return text === undefined ? undefined : decodeURIComponent(text);
}
