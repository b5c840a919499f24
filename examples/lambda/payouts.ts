/**
 * Makes the payouts of an SQS queue in a function of AWS Lambda, each exactly once. The body of a
 * message, where `key` is the name of a saved withdrawal address:
 *
 *     {"id": "inv-17", "created": "2026-01-15T10:00:00Z", "asset_symbol": "BTC", "key": "customer 17", "amount": "0.015"}
 *
 * Set ReportBatchItemFailures for the event source, or Lambda deletes the messages that failed. Set
 * PARTNER_BASE_URL, PARTNER_API_KEY, PARTNER_API_SECRET and PARTNER_ACCOUNT_ID.
 */
import {
  ApiError,
  ConflictError,
  idempotencyKeyFor,
  isPartnerError,
  PartnerClient,
  type RequestOptions,
  RequestValidationError,
} from 'partner-sdk';

/** The used part of the event; `SQSEvent` of `@types/aws-lambda` is all of it. */
interface SqsEvent {
  readonly Records: readonly SqsRecord[];
}

interface SqsRecord {
  readonly messageId: string;
  readonly body: string;
  readonly attributes: { readonly ApproximateReceiveCount: string; readonly SentTimestamp: string };
}

interface Context {
  getRemainingTimeInMillis(): number;
}

interface Payout {
  /** Id from your own books. It stands for this payout, and never for another one. */
  readonly id: string;
  /** When the message was written, which is before any request. */
  readonly created: string;
  readonly asset_symbol: string;
  readonly key: string;
  readonly amount: string;
}

/** Time that is left for the response of the function when the last call has ended. */
const RESERVE_MS = 1_000;

/** With less time than this, no payout begins. */
const LEAST_MS = 2_000;

/**
 * The service does not document how long it remembers an idempotency key. Ask
 * (docs/reference/questions.md of the package), and write a shorter time here.
 */
const KEYS_LAST_MS = 12 * 60 * 60 * 1_000;

/** Time for sending a new message, and by how much clocks may differ. */
const CLOCK_MS = 60_000;

/** The members of a payout that the service may name when it rejects one. */
const MEMBERS: readonly unknown[] = ['asset_symbol', 'key', 'amount'];

// Outside the handler, so that later calls use the connections that are already open. Without
// `keyIsShared`, limit the function to one instance.
const client = new PartnerClient({ keyIsShared: true, attemptTimeout: 5_000 });
const accountId = process.env['PARTNER_ACCOUNT_ID'] ?? '';
if (accountId === '') throw new Error('set PARTNER_ACCOUNT_ID');

/** Returns the messages that stay in the queue. */
export async function handler({ Records }: SqsEvent, context: Context) {
  const timeLeft = () => context.getRemainingTimeInMillis() - RESERVE_MS;
  // A message that can't be read, for example, must not bring the payouts of the others back.
  const isOver = await Promise.all(
    Records.map((record) => pay(record, timeLeft).catch((error) => told(record.messageId, 'open', error))),
  );
  const open = Records.filter((_, index) => !isOver[index]);
  return { batchItemFailures: open.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** Returns true if the message can be deleted. One that stays comes again, and at last to the dead-letter queue. */
async function pay({ body, attributes }: SqsRecord, timeLeft: () => number): Promise<boolean> {
  const { id, created, asset_symbol, key, amount }: Payout = JSON.parse(body);
  if (typeof id !== 'string' || id === '') throw new Error('the message has no id of a payout');
  if (timeLeft() < LEAST_MS) return false;
  const age = Date.now() - Date.parse(created);
  if (!(age > -CLOCK_MS && age < KEYS_LAST_MS))
    return told(id, 'unclear', 'it is too old, or created is missing or wrong');
  // A message that leaves a dead-letter queue is a new one for SQS, and its count begins again.
  const isNew = Number(attributes.SentTimestamp) - Date.parse(created) < CLOCK_MS;
  const isFirst = isNew && attributes.ApproximateReceiveCount === '1';
  const withdraw = (options: RequestOptions) =>
    client.funds.withdrawals.create(accountId, { asset_symbol, key, amount }, { timeout: timeLeft(), ...options });
  try {
    const first = withdraw({ idempotencyKey: idempotencyKeyFor('payouts', 'funds.withdrawals.create', accountId, id) });
    const { ref_id } = await first.catch((error: unknown) =>
      client.settle(error, withdraw, { timeout: Math.max(1, timeLeft()) }),
    );
    console.log(JSON.stringify({ id, ref_id }));
    return true;
  } catch (error) {
    if (!isPartnerError(error)) throw error;
    // Unknown, or a trouble that passes: the same message has the same idempotency key next time.
    if (error.outcome !== 'not_applied' || !isFinal(error)) return told(id, 'open', error);
    // Another request may have been accepted: an earlier one, or one with this idempotency key.
    if (!isFirst || error instanceof ConflictError) return told(id, 'unclear', error);
    told(id, 'rejected', error); // write it into your books here: nothing was paid
    return true;
  }
}

/**
 * True if the service will never make this payout, whenever it is sent. A wrong base URL, account
 * id or API key rejects every payout until somebody corrects it, so those rejections aren't final.
 * Neither is the response of a proxy, which has no code.
 */
function isFinal(error: unknown): boolean {
  if (error instanceof RequestValidationError)
    return error.issues.every(({ path }) => path !== 'account_id' && !path.startsWith('options.'));
  if (!(error instanceof ApiError) || error.code === '') return false;
  const { status } = error.response;
  if (status === 409) return true;
  const fields = error.causes.flatMap(({ field }) => field ?? []);
  if (fields.length === 0) return status === 400 || status === 422;
  return [400, 404, 422].includes(status) && fields.some((field) => MEMBERS.includes(field));
}

function told(id: string, result: string, why: unknown): false {
  console.error(JSON.stringify({ id, result, why: String(why) }));
  return false;
}
