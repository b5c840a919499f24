/**
 * From a deposit address to a booked deposit. A webhook says that there is something to book, and
 * the ledger says what. Each deposit is booked once, even if a webhook is lost or delivered twice.
 *
 *     const receive = depositReceiver(client, [secret], books);
 *     app.post('/webhooks/partner', (c) => receive(c.req.raw)); // as in examples/webhooks
 *     setInterval(() => bookDeposits(client, books), 600_000); // finds what no webhook has reported
 */
import type { DepositAddress, FundsTransaction, FundsTransactionStatus, PartnerClient } from 'partner-sdk';
import { webhookHandler } from 'partner-sdk/webhooks';

/** Your books, which outlive the program. */
export interface Books {
  /** True if the deposit is booked. */
  has(refId: string): Promise<boolean>;
  /** Books a deposit under its `ref_id`, or does nothing if it is booked already. */
  book(deposit: FundsTransaction): Promise<void>;
}

/**
 * The ledger's statuses of money that has arrived. `success` and `settled` are public, and
 * `credited` is the sandbox's. No source says which are final, so ask the service
 * (docs/reference/questions.md of the package), and delete those that come before the money does.
 */
const CREDITED: readonly FundsTransactionStatus[] = ['success', 'settled', 'credited'];

/** A deposit that is older than this is assumed not to change any more. */
const OPEN_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Returns the address at which an account takes deposits of an asset, the same one at each call.
 */
export async function depositAddress(
  client: PartnerClient,
  accountId: string,
  assetSymbol: string,
  network: string,
): Promise<DepositAddress> {
  for await (const method of client.funds.depositMethods.list(accountId, assetSymbol)) {
    if (method.network !== network) continue;
    const asset_type = method.minimum?.type;
    const body = { method_id: method.id, asset_symbol: assetSymbol, asset_type };
    return client.funds.depositAddresses.create(accountId, body);
  }
  throw new Error(`${assetSymbol} cannot be deposited by ${network}`);
}

/** Books what the ledger shows as credited. Returns the number of deposits that were new. */
export async function bookDeposits(client: PartnerClient, books: Books): Promise<number> {
  const since = new Date(Date.now() - OPEN_MS).toISOString();
  let booked = 0;
  // Newest first. An older deposit may be credited after a newer one, so all recent ones are read.
  for await (const deposit of client.funds.transactions.list({ type: 'deposit', page_size: 500 })) {
    if (deposit.timestamp !== undefined && deposit.timestamp < since) break;
    if (!CREDITED.includes(deposit.status ?? '') || (await books.has(deposit.ref_id))) continue;
    await books.book(deposit);
    booked++;
  }
  return booked;
}

/** Receives webhooks. If booking fails, it answers 500, so the service delivers the event again. */
export function depositReceiver(client: PartnerClient, secrets: readonly string[], books: Books) {
  return webhookHandler({ secrets, on: { 'deposit.completed': () => bookDeposits(client, books) } });
}
