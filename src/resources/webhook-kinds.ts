/**
 * The kinds of webhook events that the service documents, in its reference or in an older edition.
 * It may send others.
 */
export const WEBHOOK_KINDS = [
  'quote.executed',
  'quote.execution_failed',
  'quote.cancelled',
  'conversion.withdrawal_completed',
  'conversion.quote_execution_failed',
  'wallet.whitelisted',
  'deposit.status_updated',
  'deposit.completed',
  'price_trigger_swap.executed',
  'price_trigger_swap.execution_failed',
  'price_trigger_swap.cancelled',
  'withdrawal.status_updated',
  'withdrawal.completed',
  'withdrawal.failed',
  'transfer.completed',
  'transfer.failed',
  'swap.completed',
  'swap.failed',
  'custom_order.executed',
  'custom_order.execution_failed',
  'custom_order.cancelled',
  'reward.paid',
  'user.verified',
  'user.closed',
  'user.disabled',
  'webhook.test',
] as const;
