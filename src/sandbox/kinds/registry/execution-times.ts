import { CONVERSION_STEPS } from '../conversions/conversions.js';
import { EARN_STEPS } from '../earn.js';
import { DEPOSIT_STEPS } from '../funds/deposits.js';
import { EXPECTED_DEPOSIT_STEPS } from '../funds/expected-deposits.js';
import { WITHDRAWAL_STEPS } from '../funds/withdrawals.js';
import { ON_DEMAND_STEPS } from '../on-demand-conversions/on-demand-conversions.js';
import { ONCHAIN_QUOTE_STEPS } from '../onchain-quotes.js';
import { PRICE_TRIGGER_STEPS } from '../price-trigger-swaps.js';
import { QUOTE_STEPS } from '../quotes.js';
import { TRANSFER_STEPS } from '../transfers.js';
import { VERIFICATION_STEPS } from '../verifications.js';
import { WALLET_STEPS } from '../wallets.js';

/**
 * Steps whose duration can be set. No step that schedules itself without a limit: with the time 0
 * it would never end.
 */
export const EXECUTION_STEPS = [
  ...QUOTE_STEPS,
  ...WALLET_STEPS,
  ...ON_DEMAND_STEPS,
  ...ONCHAIN_QUOTE_STEPS,
  ...PRICE_TRIGGER_STEPS,
  ...DEPOSIT_STEPS,
  ...WITHDRAWAL_STEPS,
  ...EARN_STEPS,
  ...VERIFICATION_STEPS,
  ...CONVERSION_STEPS,
  ...EXPECTED_DEPOSIT_STEPS,
  ...TRANSFER_STEPS,
] as const;

/**
 * Durations of steps in ms of the sandbox's clock, 0 to 2,147,483,647: the time from scheduling a
 * step to running it.
 */
export type ExecutionTimes = { readonly [Step in (typeof EXECUTION_STEPS)[number]]?: number | undefined };
