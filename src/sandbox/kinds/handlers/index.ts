import type { Handler } from '../../core/request/handler.js';
import { ledgerHandlers } from '../funds/ledger.js';
import { AREAS, KINDS } from '../index.js';
import { assetHandlers } from './assets/assets.js';
import { conversionHandlers } from './conversions.js';
import { inboundHandlers } from './inbound/conversions.js';
import { userHandlers } from './users.js';
import { walletHandlers } from './wallets.js';

/** The operations of the resources. */
export const handlers: readonly Handler[] = [
  ...userHandlers,
  ...assetHandlers,
  ...conversionHandlers,
  ...inboundHandlers,
  ...[...KINDS, ...AREAS].flatMap(({ operations = [] }) => operations),
  ...walletHandlers,
  ...ledgerHandlers,
];
