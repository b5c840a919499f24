import type { Handler } from '../../core/request/handler.js';
import { ledgerHandlers } from '../funds/ledger.js';
import { AREAS, KINDS } from '../index.js';
import { conversionHandlers } from './conversions.js';
import { inboundHandlers } from './inbound/conversions.js';

/** The operations of the resources. */
export const handlers: readonly Handler[] = [
  ...conversionHandlers,
  ...inboundHandlers,
  ...[...KINDS, ...AREAS].flatMap(({ operations = [] }) => operations),
  ...ledgerHandlers,
];
