import type { Operation } from '../../../schema/operation.js';
import type { ApiKeyScope } from '../../core/keys/scopes.js';
import { KINDS } from './index.js';

/** Prefixes of operation names. */
const WRITES: readonly (readonly [prefix: string, scope: ApiKeyScope])[] = [['webhooks.', 'webhooks']];

const ofKinds = new Map(
  KINDS.flatMap(({ scope, operations = [] }) => operations.map(({ operation }) => [operation, scope] as const)),
);

/** Returns the scope that an operation needs. */
export function scopeOf(operation: Operation): ApiKeyScope {
  const { name, method } = operation;
  if (method === 'GET') return 'read';
  const ofKind = ofKinds.get(operation);
  if (ofKind !== undefined) return ofKind;
  return WRITES.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'trade';
}
