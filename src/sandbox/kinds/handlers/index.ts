import type { Handler } from '../../core/request/handler.js';
import { ledgerHandlers } from '../funds/ledger.js';
import { AREAS, KINDS } from '../index.js';

/** The operations of the resources. */
export const handlers: readonly Handler[] = [
  ...[...KINDS, ...AREAS].flatMap(({ operations = [] }) => operations),
  ...ledgerHandlers,
];
