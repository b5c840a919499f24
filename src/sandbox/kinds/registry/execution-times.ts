/**
 * Steps whose duration can be set. A step that schedules itself without a limit must not be among
 * them, because with the time 0 it would never end.
 */
export const EXECUTION_STEPS = [
  'quote.finish',
  'wallet.screen',
  'conversion.settle',
  'conversion.complete',
  'onchain_quote.offer',
  'onchain_quote.finish',
  'price_trigger_swap.retry',
  'deposit.receive',
  'deposit.credit',
  'withdrawal.finish',
  'earn.settle',
  'verification.finish',
  'conversion.pay_in',
  'conversion.pay_out',
  'expected_deposit.credit',
  'transfer.process',
  'transfer.finish',
] as const;

/**
 * Durations of steps in ms of the sandbox's clock, 0 to 2,147,483,647: the time from scheduling a
 * step to running it.
 */
export type ExecutionTimes = { readonly [Step in (typeof EXECUTION_STEPS)[number]]?: number | undefined };
