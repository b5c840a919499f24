import type { OperationFact } from '../fact.js';
import { assets } from './assets.js';
import { conversions } from './conversions.js';
import { earn } from './earn.js';
import { funds } from './funds.js';
import { portfolio } from './portfolio.js';
import { ramp } from './ramp.js';
import { trading } from './trading.js';
import { users } from './users.js';
import { webhooks } from './webhooks.js';

/** One row for each operation of the service. */
export const OPERATIONS: readonly OperationFact[] = [
  ...users,
  ...assets,
  ...trading,
  ...conversions,
  ...portfolio,
  ...earn,
  ...funds,
  ...ramp,
  ...webhooks,
];
