// Which statuses and rejections end a payout, for both programs of this folder.
import { ApiError, type FundsTransactionStatus, RequestValidationError } from 'partner-sdk';

/**
 * These statuses of the ledger are public, but no source says which are final. Ask the service
 * (docs/reference/questions.md of the package), and delete those that aren't final. For example,
 * `success` may come before `settled`. A payout with any other status stays open.
 */
const PAID: readonly FundsTransactionStatus[] = ['success', 'settled', 'completed'];
const FAILED: readonly FundsTransactionStatus[] = ['failure', 'failed'];

/** The members of a payout that the service may name when it rejects one. */
const MEMBERS: readonly unknown[] = ['asset_symbol', 'method_id', 'key', 'address', 'amount'];

export function endOf(status = ''): 'paid' | 'failed' | undefined {
  if (PAID.includes(status)) return 'paid';
  return FAILED.includes(status) ? 'failed' : undefined;
}

/**
 * True if the service will never make this payout, whenever it is sent. A wrong base URL, account
 * id or API key rejects every payout until somebody corrects it, so those rejections aren't final.
 * Neither is the response of a proxy, which has no code.
 */
export function isFinal(error: unknown): boolean {
  if (error instanceof RequestValidationError)
    return error.issues.every(({ path }) => path !== 'account_id' && !path.startsWith('options.'));
  if (!(error instanceof ApiError) || error.code === '') return false;
  const { status } = error.response;
  if (status === 409) return true;
  const fields = error.causes.flatMap(({ field }) => field ?? []);
  if (fields.length === 0) return status === 400 || status === 422;
  return [400, 404, 422].includes(status) && fields.some((field) => MEMBERS.includes(field));
}
