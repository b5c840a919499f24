import { labelOf } from '../../../resources/labels.js';
import type { Operation } from '../../../schema/operation.js';
import { misspeltName } from '../../../util/did-you-mean.js';
import { objectOf, type Rule, rule } from '../../../util/options.js';
import { excerpt } from '../../core/basics/excerpt.js';
import type { RequestHead } from '../../core/request/messages.js';
import { accountIn, type RouteMatch } from '../../core/request/route.js';

/** Conditions for requests. A request must meet all given ones. */
export interface RequestMatch {
  /** Id of the account in the path. */
  readonly account?: string | undefined;
  /** `API-Key` of the request. */
  readonly apiKey?: string | undefined;
  /** `Idempotency-Key` of the request, in any letter case. */
  readonly key?: string | undefined;
  /**
   * Path without query. With `*` at its end, it matches every path that starts with the text before
   * it.
   */
  readonly path?: string | undefined;
}

/** A request whose head has arrived. */
export interface ArrivedRequest {
  readonly head: RequestHead;
  readonly match: RouteMatch;
}

/** Conditions for the requests that a fault or a delay applies to. */
interface Selection {
  readonly operation: Operation | undefined;
  readonly match?: RequestMatch | undefined;
}

const TEXT: Rule = rule((value) => typeof value === 'string' && value !== '', 'must be text that is not empty');

export const MATCH_RULES = { account: TEXT, apiKey: TEXT, key: TEXT, path: TEXT } as const;

export const MATCH_RULE: Rule = objectOf(MATCH_RULES);

export function isSelected({ operation, match }: Selection, { head, match: found }: ArrivedRequest): boolean {
  if (operation !== undefined && operation !== found.operation) return false;
  if (match === undefined) return true;
  const { account, apiKey, key, path } = match;
  if (account !== undefined && accountIn(found) !== account) return false;
  if (apiKey !== undefined && head.header('api-key') !== apiKey) return false;
  if (key !== undefined && head.header('idempotency-key')?.toLowerCase() !== key.toLowerCase()) return false;
  return path === undefined || isPath(head.target, path);
}

/** True if a request target has the path. */
export function isPath(target: string, wanted: string): boolean {
  if (wanted.endsWith('*')) return target.startsWith(wanted.slice(0, -1));
  const query = target.indexOf('?');
  return wanted === (query < 0 ? target : target.slice(0, query));
}

/**
 * Returns the operation with this name or title, in any letter case, or the only one whose name
 * ends with it: `quotes.get` is `accounts.quotes.get`.
 *
 * @throws TypeError that names the operation that was probably meant, else lists all.
 */
export function operationNamed(method: string, operations: readonly Operation[], wanted: string): Operation {
  const name = wanted.toLowerCase();
  const found = operations.find((one) => one.name.toLowerCase() === name || labelOf(one).title.toLowerCase() === name);
  if (found !== undefined) return found;
  const [ending, ...more] = operations.filter((one) => one.name.toLowerCase().endsWith(`.${name}`));
  if (ending !== undefined && more.length === 0) return ending;
  const meant = misspelt(wanted, operations);
  const advice = meant === undefined ? `. Known: ${operations.map(listed).join(', ')}` : `: did you mean ${meant}?`;
  throw new TypeError(`${method}: there is no operation "${excerpt(wanted)}"${advice}`);
}

const listed = (operation: Operation): string => `${operation.name} (${labelOf(operation).title})`;

/** Returns the name for a misspelt name, or for the misspelt end of only one. */
function misspelt(wanted: string, operations: readonly Operation[]): string | undefined {
  const parts = wanted.split('.').length;
  const endOf = (name: string): string => name.split('.').slice(-parts).join('.');
  const names = operations.map(({ name }) => name);
  const end = misspeltName(wanted, names.map(endOf));
  const [meant, ...others] = names.filter((name) => endOf(name) === end);
  return misspeltName(wanted, names) ?? (others.length === 0 ? meant : undefined);
}
