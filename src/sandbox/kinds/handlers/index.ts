import type { Handler } from '../../core/request/handler.js';
import { AREAS, KINDS } from '../index.js';
import { assetHandlers } from './assets/assets.js';
import { conversionHandlers } from './conversions.js';
import { earnHandlers } from './earn.js';
import { depositHandlers } from './funds/deposits.js';
import { fundsHandlers } from './funds/funds.js';
import { withdrawalAddressHandlers } from './funds/withdrawal-addresses.js';
import { withdrawalHandlers } from './funds/withdrawals.js';
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
  ...withdrawalAddressHandlers,
  ...fundsHandlers,
  ...depositHandlers,
  ...withdrawalHandlers,
  ...earnHandlers,
];
