import type { Operation } from '../../../schema/operation.js';
import type { ApiKeyScope } from '../../core/keys/scopes.js';
import { KINDS } from './index.js';

const ofKinds = new Map(
  KINDS.flatMap(({ scope, operations = [] }) => operations.map(({ operation }) => [operation, scope] as const)),
);

/** Returns the scope that an operation needs. */
export function scopeOf(operation: Operation): ApiKeyScope {
  const { name, method } = operation;
  if (method === 'GET') return 'read';
  return ofKinds.get(operation) ?? (name.startsWith('webhooks.') ? 'webhooks' : 'trade');
}
