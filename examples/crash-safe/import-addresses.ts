/**
 * Saves the withdrawal addresses of a file, each exactly once, however often it is killed. Start it
 * again until it ends with 0.
 *
 *     npx tsx examples/crash-safe/import-addresses.ts addresses.jsonl
 *
 * One address a line:
 *
 *     {"id": "row-1", "asset_symbol": "BTC", "method_id": "6f…", "key": "customer 1", "address": "bc1q…"}
 *
 * Set PARTNER_BASE_URL, PARTNER_API_KEY, PARTNER_API_SECRET and PARTNER_ACCOUNT_ID.
 *
 * Exit codes: 0 all addresses are saved; 1 start it again; 2 the rows that it names need a person.
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
   * Id from our own books. It stands for this address in this account, and never for another
   * address.
   */
  readonly id: string;
}

/**
 * `repeated`: an earlier run or attempt had saved it. `open`: the next run must ask again.
 * `refused`: the row as it is will never be saved.
 */
type Result = 'saved' | 'repeated' | 'open' | 'refused';

/** Number of rows in progress at once. The lane of the API key puts them in order. */
const AT_ONCE = 32;

async function main(): Promise<void> {
  const [file] = process.argv.slice(2);
  const { PARTNER_BASE_URL, PARTNER_ACCOUNT_ID: accountId } = process.env;
  if (file === undefined || !accountId) throw new Error('usage: PARTNER_ACCOUNT_ID=… import-addresses.ts <file>');
  const rows = await readRows(file);
  const progress = await Progress.load(`${file}.progress`, `${PARTNER_BASE_URL} ${accountId}`);
  const counts: Record<Result, number> = { saved: 0, repeated: 0, open: 0, refused: 0 };

  await using client = new PartnerClient();
  const left = rows.filter(({ id }) => !progress.has(id)).values();
  const worker = async () => {
    for (const row of left) {
      const result = await save(client, accountId, row);
      counts[result]++;
      if (result === 'saved' || result === 'repeated') progress.add(row.id);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await progress.saved();

  const { saved, repeated, open, refused } = counts;
  const before = rows.length - saved - repeated - open - refused;
  console.log(
    `${rows.length} addresses: ${saved} saved, ${repeated} repeated, ${before} done before, ${open} open, ${refused} refused`,
  );
  if (refused > 0) process.exitCode = 2;
  if (open > 0) process.exitCode = 1;
}

async function save(client: PartnerClient, accountId: string, { id, ...address }: Row): Promise<Result> {
  // The same row gives the same key in every run, so the service answers a repeat as it did the
  // first time.
  const idempotencyKey = idempotencyKeyFor('address-import', 'funds.withdrawalAddresses.save', accountId, id);
  try {
    const call = client.funds.withdrawalAddresses.save(accountId, address, { idempotencyKey });
    const { response } = await call.withResponse();
    return response.replayed ? 'repeated' : 'saved';
  } catch (error) {
    const result = resultOf(error);
    if (result === 'open' || result === 'refused') console.error(`${id} is ${result}: ${error}`);
    return result;
  }
}

function resultOf(error: unknown): Result {
  if (!isPartnerError(error)) throw error;
  // The service accepted, only its answer was unusable.
  if (error.outcome === 'applied') return 'saved';
  // It may be saved already, whatever the last attempt got. The next run asks again with the same key.
  if (error.outcome === 'unknown') return 'open';
  // Also a 409: our own address would have been a success. The name has another address, or the row
  // has changed since it was sent.
  return isFinal(error) ? 'refused' : 'open';
}

/** True if no later run can get another answer. Lost connections, timeouts and rate limits pass. */
function isFinal(error: unknown): boolean {
  if (error instanceof ResourceExhaustedError) return false;
  return error instanceof ApiError || error instanceof RequestValidationError;
}

/**
 * Reads the whole file before anything is sent. A row without an id of its own would have no key of
 * its own.
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
  // A wrong file, a missing variable: another start would not help.
  console.error(error);
  process.exitCode = 2;
});
