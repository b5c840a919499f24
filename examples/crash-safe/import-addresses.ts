/**
 * Saves the withdrawal addresses of a file, each exactly once, however often the program is killed.
 * Start the program again until it exits with 0 or 2.
 *
 *     node --import tsx examples/crash-safe/import-addresses.ts addresses.jsonl
 *
 * One address a line:
 *
 *     {"id": "row-1", "asset_symbol": "BTC", "method_id": "6f…", "key": "customer 1", "address": "bc1q…"}
 *
 * Set PARTNER_BASE_URL, PARTNER_API_KEY, PARTNER_API_SECRET and PARTNER_ACCOUNT_ID.
 *
 * Exit codes: 0, all addresses are saved. 1, start the program again. 2, a person must look at the
 * rows that the program names.
 */
import { readFile } from 'node:fs/promises';
import {
  ApiError,
  idempotencyKeyFor,
  isPartnerError,
  PartnerClient,
  RequestValidationError,
  ResourceExhaustedError,
  type WithdrawalAddressSaveBody,
} from 'partner-sdk';
import { Progress } from './progress.js';

/** One line of the file. */
interface Row extends WithdrawalAddressSaveBody {
  /**
   * Id from your own books. It identifies this address in this account, and never another address.
   */
  readonly id: string;
}

/**
 * `replayed`: an earlier run or attempt had saved the address. `open`: the next run must retry.
 * `rejected`: the row will never be saved unchanged.
 */
type Result = 'saved' | 'replayed' | 'open' | 'rejected';

/** Number of rows in progress at once. The client sends the requests of an API key in order. */
const AT_ONCE = 32;

async function main(): Promise<void> {
  const [file] = process.argv.slice(2);
  const { PARTNER_BASE_URL, PARTNER_ACCOUNT_ID: accountId } = process.env;
  if (file === undefined || !accountId) throw new Error('usage: PARTNER_ACCOUNT_ID=… import-addresses.ts <file>');
  const rows = await readRows(file);
  const progress = await Progress.load(`${file}.progress`, `${PARTNER_BASE_URL} ${accountId}`);
  const counts: Record<Result, number> = { saved: 0, replayed: 0, open: 0, rejected: 0 };

  await using client = new PartnerClient();
  const left = rows.filter(({ id }) => !progress.has(id)).values();
  const worker = async () => {
    for (const row of left) {
      const result = await save(client, accountId, row);
      counts[result]++;
      if (result === 'saved' || result === 'replayed') progress.add(row.id);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await progress.saved();

  const { saved, replayed, open, rejected } = counts;
  const before = rows.length - saved - replayed - open - rejected;
  const sent = `${saved} saved, ${replayed} replayed, ${before} done before`;
  console.log(`${rows.length} addresses: ${sent}, ${open} open, ${rejected} rejected`);
  if (rejected > 0) process.exitCode = 2;
  if (open > 0) process.exitCode = 1;
}

async function save(client: PartnerClient, accountId: string, { id, ...address }: Row): Promise<Result> {
  // A row has the same idempotency key in every run, so the service returns its first response to a
  // retry.
  const idempotencyKey = idempotencyKeyFor('address-import', 'funds.withdrawalAddresses.save', accountId, id);
  try {
    const call = client.funds.withdrawalAddresses.save(accountId, address, { idempotencyKey });
    const { response } = await call.withResponse();
    return response.replayed ? 'replayed' : 'saved';
  } catch (error) {
    const result = resultOf(error);
    if (result === 'open' || result === 'rejected') console.error(`${id} is ${result}: ${error}`);
    return result;
  }
}

function resultOf(error: unknown): Result {
  if (!isPartnerError(error)) throw error;
  // The service accepted the write. Only its response was unusable.
  if (error.outcome === 'applied') return 'saved';
  // The address may be saved already, whatever the last attempt got. The next run retries with the
  // same idempotency key.
  if (error.outcome === 'unknown') return 'open';
  // This includes a 409, because our own address would have been a success. Another address has the
  // name, or the row has changed since it was sent.
  return isFinal(error) ? 'rejected' : 'open';
}

/**
 * True if a later run would get the same response. Lost connections, timeouts and rate limits pass.
 */
function isFinal(error: unknown): boolean {
  if (error instanceof ResourceExhaustedError) return false;
  return error instanceof ApiError || error instanceof RequestValidationError;
}

/**
 * Reads the whole file before anything is sent. A row without an id of its own would have no
 * idempotency key of its own.
 */
async function readRows(file: string): Promise<Row[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const rows = lines.map((line) => JSON.parse(line) as Row);
  const ids = new Set<string>();
  for (const { id } of rows) {
    if (typeof id !== 'string' || id === '' || ids.has(id))
      throw new Error(`${file}: id ${id} is missing or not unique`);
    ids.add(id);
  }
  return rows;
}

main().catch((error: unknown) => {
  // For example a wrong file or a missing variable. Starting the program again wouldn't help.
  console.error(error);
  process.exitCode = 2;
});
