/**
 * From a new user to the first trade: `npx tsx examples/onboard-user.ts`.
 *
 * The program starts the embedded sandbox. For another service, set PARTNER_BASE_URL,
 * PARTNER_API_KEY, PARTNER_API_SECRET and DOCUMENT_URL (https), and pay the deposit yourself.
 *
 * The program may be killed and started again at once, because it finds the user by its reference,
 * submits a document only if none is being verified, and trades once for as long as the service
 * remembers the idempotency keys.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal, isPartnerError, PartnerClient } from 'partner-sdk';
import { createSandbox, type Sandbox } from 'partner-sdk/sandbox';

/** Your own id of the customer, the same in every run. */
const REFERENCE = 'customer-4711';

/** What the customer buys first. */
const SPENT = '100.00';

/** The longest wait for a person, a bank or a market. */
const PATIENCE_MS = 10 * 60_000;
const POLL_MS = 1_000;

interface Setting {
  readonly client: PartnerClient;
  /** Undefined for another service. */
  readonly sandbox: Sandbox | undefined;
  readonly documentUrl: string;
}

async function main(): Promise<void> {
  const setting = await prepare();
  try {
    const { id, accounts } = await createUser(setting.client);
    const accountId = accounts[0]?.id;
    if (accountId === undefined) throw new Error('The user has no account');
    await verifyIdentity(setting, id);
    await receiveMoney(setting, accountId);
    await trade(setting.client, accountId);
  } finally {
    await setting.client.close();
    await setting.sandbox?.close();
  }
}

async function prepare(): Promise<Setting> {
  const { PARTNER_BASE_URL, DOCUMENT_URL = 'https://documents.example/ada/passport.jpg' } = process.env;
  if (PARTNER_BASE_URL) return { client: new PartnerClient(), sandbox: undefined, documentUrl: DOCUMENT_URL };
  // The verification takes half a second instead of a minute.
  const sandbox = createSandbox({
    seed: 1,
    realTime: true,
    settings: { executionTimes: { 'verification.finish': 500 } },
  });
  const { url } = await sandbox.listen();
  return { client: new PartnerClient({ baseUrl: url, ...sandbox.credentials }), sandbox, documentUrl: DOCUMENT_URL };
}

async function createUser(client: PartnerClient) {
  const created = await client.users.create({
    external_reference: REFERENCE,
    email: 'ada@customer.example',
    full_name: { first_name: 'Ada', last_name: 'Byron' },
    residence: { line1: '12 St James’s Square', city: 'London', postal_code: 'SW1Y 4JH', country: 'GB' },
    phone: '+442071234567',
    nationalities: ['GB'],
    birth: { date: '1990-12-10' },
  });
  console.log(`${created.id} is the user ${REFERENCE}`);
  return created;
}

/** Submits a document unless one is being verified, and waits until the user is `ok`. */
async function verifyIdentity({ client, documentUrl }: Setting, userId: string): Promise<void> {
  const before = await client.users.get(userId);
  console.log(`state ${before.status.state}, to do: ${JSON.stringify(before.status.required_actions)}`);
  if (before.status.state === 'ok') return;
  const id = (await submittedOf(client, userId)) ?? (await submit(client, userId, documentUrl));

  const { status, reasons = [] } = await client.users.verifications.waitFor(userId, id, { timeout: PATIENCE_MS });
  if (status === 'failed') {
    const codes = reasons.map(({ code }) => code).join(', ');
    throw new Error(`The document was rejected (${codes}). Ask the customer for another one.`);
  }
  const user = await client.users.waitFor(userId, { timeout: PATIENCE_MS });
  console.log(`state ${user.status.state}`);
}

/** A submission takes no idempotency key, so after a lost response, look whether it arrived. */
async function submit(client: PartnerClient, userId: string, documentUrl: string): Promise<string> {
  const metadata = { document_type: 'passport', issuing_country: 'GB' };
  const body = { type: 'identity_document', front_url: documentUrl, metadata };
  try {
    const { verification_id } = await client.users.verifications.submitUrl(userId, body);
    console.log(`submitted ${verification_id}`);
    return verification_id;
  } catch (error) {
    if (!isPartnerError(error) || error.outcome === 'not_applied') throw error;
    const arrived = await submittedOf(client, userId);
    if (arrived === undefined) throw error;
    console.log('the response was lost, but the document arrived');
    return arrived;
  }
}

/** Returns the id of the last verification that has not failed. */
async function submittedOf(client: PartnerClient, userId: string): Promise<string | undefined> {
  const all = await client.users.verifications.list(userId);
  return all.findLast(({ status }) => status !== 'failed')?.verification_id;
}

async function receiveMoney({ client, sandbox }: Setting, accountId: string): Promise<void> {
  // The sandbox's customer pays at once. Yours uses a deposit address or a bank transfer.
  sandbox?.accounts.deposit(accountId, { symbol: 'USD', amount: '250.00' });
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const available = await availableUsd(client, accountId);
    if (available.gte(SPENT)) return console.log(`${available.toFixed()} USD are there`);
    if (Date.now() > until) throw new Error('No money has arrived. Start the program again when it has.');
    await sleep(POLL_MS);
  }
}

async function availableUsd(client: PartnerClient, accountId: string): Promise<Decimal> {
  const { items } = await client.accounts.portfolio.details(accountId);
  const usd = items.find(({ symbol, type }) => symbol === 'USD' && type === 'fiat');
  return usd?.available ?? new Decimal(0);
}

async function trade(client: PartnerClient, accountId: string): Promise<void> {
  const body = {
    from: { symbol: 'USD', type: 'fiat', amount: SPENT },
    to: { symbol: 'BTC', type: 'crypto' },
  };
  const end = await client.accounts.quotes.trade(accountId, body, {
    reference: `${REFERENCE} first trade`,
    accept: ({ to }) => to.amount.gt(0),
  });
  console.log(`first trade ${end.status}: ${end.quote.to.amount.toFixed()} BTC for ${SPENT} USD`);
}

await main();
