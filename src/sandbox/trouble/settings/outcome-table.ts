import type { OperationOutcomes } from '../../core/kind/kind.js';
import { KINDS } from '../../kinds/registry/index.js';

/** The outcomes that can be forced, by the name of the operation. */
export const OUTCOMES: ReadonlyMap<string, OperationOutcomes> = new Map(
  KINDS.flatMap(({ outcomes = [] }) => outcomes).map((row) => [row.operation.name, row]),
);
