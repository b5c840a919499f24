import { creditDeposit, receiveDeposit } from './deposits.js';
import { finishWithdrawal, sendWithdrawal } from './withdrawals.js';

/** The planned steps of deposits and withdrawals. */
export const FUNDS_STEPS = {
  'deposit.receive': receiveDeposit,
  'deposit.credit': creditDeposit,
  'withdrawal.send': sendWithdrawal,
  'withdrawal.finish': finishWithdrawal,
} as const;
