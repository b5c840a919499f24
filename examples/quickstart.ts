/**
 * The main job in one run: `npm run quickstart`.
 *
 * The program starts the embedded sandbox. For another service, set PARTNER_BASE_URL,
 * PARTNER_API_KEY, PARTNER_API_SECRET and PARTNER_USER_ID. For the writes, also set
 * PARTNER_METHOD_ID (a withdrawal method for BTC) and PARTNER_OTP.
 */
import { ConflictError, Decimal, isPartnerError, PartnerClient } from 'partner-sdk';
import { createSandbox, type Sandbox } from 'partner-sdk/sandbox';

interface Setting {
  client: PartnerClient;
  /** Undefined for another service, which can't be told to fail. */
  sandbox: Sandbox | undefined;
  userId: string;
  methodId: string | undefined;
  otp: string | undefined;
}

const BITCOIN_ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

async function main(): Promise<void> {
  const setting = await prepare();
  try {
    const accountId = await showUser(setting);
    await showAssets(setting);
    await showConversions(setting, accountId);
    await convert(setting, accountId);
    await whitelistWallet(setting, accountId);
    await saveAddress(setting, accountId);
    await survive503(setting, accountId);
    await loseResponse(setting, accountId);
    sumUp(setting);
  } finally {
    await setting.client.close();
    await setting.sandbox?.close();
  }
}

async function prepare(): Promise<Setting> {
  const { PARTNER_BASE_URL, PARTNER_USER_ID, PARTNER_METHOD_ID, PARTNER_OTP } = process.env;
  if (PARTNER_BASE_URL) {
    if (!PARTNER_USER_ID) throw new Error('Set PARTNER_USER_ID to the id of one of your users');
    title(`Against ${PARTNER_BASE_URL}`);
    const client = new PartnerClient();
    return { client, sandbox: undefined, userId: PARTNER_USER_ID, methodId: PARTNER_METHOD_ID, otp: PARTNER_OTP };
  }
  // Executing a quote takes two seconds by default, and here 0.1 s.
  const sandbox = createSandbox({ seed: 1, realTime: true, settings: { executionTimes: { 'quote.finish': 100 } } });
  const { url } = await sandbox.listen();
  title(`Against the embedded sandbox at ${url}`);
  const { userId, methodId, otp } = sandbox.fixtures;
  return { client: new PartnerClient({ baseUrl: url, ...sandbox.credentials }), sandbox, userId, methodId, otp };
}

async function showUser({ client, userId }: Setting): Promise<string> {
  title('users.get: a user and their accounts');
  const user = await client.users.get(userId);
  line(`${user.id} is ${user.status.state}`);
  for (const account of user.accounts) line(`${account.name.padEnd(10)} ${account.id}`);
  const main = user.accounts.find(({ name }) => name === 'main') ?? user.accounts[0];
  if (main === undefined) throw new Error('The user has no account');
  return main.id;
}

async function showAssets({ client, userId }: Setting): Promise<void> {
  title('users.assets.list: the first page of assets, with prices');
  const page = await client.users.assets.list(userId, { type: ['crypto', 'stablecoin'], page_size: 5 });
  for (const { symbol, name, price, price_change_percent: change } of page.items) {
    const day = change?.last_24h === undefined ? '' : `${change.last_24h.toFixed()} % in 24 h`;
    line(`${symbol.padEnd(6)} ${name.padEnd(16)} ${price?.toFixed() ?? '-'} ${page.meta.quote_symbol}  ${day}`);
  }
}

async function showConversions({ client }: Setting, accountId: string): Promise<void> {
  title('accounts.onDemandConversions.list: all conversions, page by page, with exact totals');
  const received = new Map<string, Decimal>();
  let count = 0;
  for await (const { to } of client.accounts.onDemandConversions.list(
    accountId,
    { page_size: 25 },
    { prefetch: true },
  )) {
    count++;
    if (to.type !== 'balance' && to.type !== 'wallet') continue;
    received.set(to.symbol, (received.get(to.symbol) ?? new Decimal(0)).plus(to.amount));
  }
  line(`${count} conversions; received in total:`);
  for (const [symbol, total] of [...received].sort()) line(`${symbol.padEnd(6)} ${total.toFixed()}`);
}

async function convert({ client }: Setting, accountId: string): Promise<void> {
  title('accounts.quotes: a quote, executed and waited for');
  const { quotes } = client.accounts;
  const offer = await quotes.create(accountId, {
    from: { symbol: 'USD', type: 'fiat', amount: '100.00' },
    to: { symbol: 'BTC', type: 'crypto' },
  });
  line(
    `${offer.id}: ${offer.from.amount} USD for ${offer.to.amount.toFixed()} BTC, fee ${offer.fees.trade.amount} USD`,
  );
  await quotes.execute(accountId, offer.id);
  const end = await quotes.waitFor(accountId, offer.id);
  line(`${end.id} is ${end.status}`);
}

async function whitelistWallet({ client, otp }: Setting, accountId: string): Promise<void> {
  title('accounts.wallets.whitelist: a wallet, with a one-time password');
  if (otp === undefined) return line('left out: PARTNER_OTP is not set');
  const wallet = { via: 'bitcoin', address: BITCOIN_ADDRESS, external_user_id: 'customer-42' };
  const { data, response } = await client.accounts.wallets.whitelist(accountId, wallet, { otp }).withResponse();
  line(`${data.id} is ${data.status} (Idempotency-Key ${response.idempotencyKey})`);
}

async function saveAddress({ client, methodId }: Setting, accountId: string): Promise<void> {
  title('funds.withdrawalAddresses.save: a withdrawal address, and a conflict caught by type');
  if (methodId === undefined) return line('left out: PARTNER_METHOD_ID is not set');
  const address = { asset_symbol: 'BTC', method_id: methodId, key: 'quickstart', address: BITCOIN_ADDRESS };
  try {
    const saved = await client.funds.withdrawalAddresses.save(accountId, address);
    line(`saved as "${saved.key}"`);
    await client.funds.withdrawalAddresses.save(accountId, address);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    line(`saved again: ${error.name}, ${error.code}, outcome ${error.outcome}`);
  }
}

async function survive503({ client, sandbox, methodId }: Setting, accountId: string): Promise<void> {
  title('The service answers 503: the client retries the write with its idempotency key');
  if (sandbox === undefined || methodId === undefined) return line('left out: only the sandbox can be told to fail');
  sandbox.fail({ operation: 'funds.withdrawalAddresses.save', fault: 503 });
  const address = { asset_symbol: 'BTC', method_id: methodId, key: 'after-503', address: BITCOIN_ADDRESS };
  const { data, response } = await client.funds.withdrawalAddresses.save(accountId, address).withResponse();
  line(`saved as "${data.key}" at attempt ${response.attempts}`);
  const sent = sandbox.journal.filter(({ key }) => key === response.idempotencyKey);
  for (const { nonce, key, status } of sent) line(`on the wire: nonce ${nonce}, idempotency key ${key} → ${status}`);
}

async function loseResponse({ client, sandbox, methodId }: Setting, accountId: string): Promise<void> {
  title('The response is lost: the outcome is unknown until the write is retried with its idempotency key');
  if (sandbox === undefined || methodId === undefined) return line('left out: only the sandbox can be told to fail');
  sandbox.fail({ operation: 'funds.withdrawalAddresses.save', fault: 'reset', when: 'after' });
  const address = { asset_symbol: 'BTC', method_id: methodId, key: 'lost-response', address: BITCOIN_ADDRESS };
  try {
    await client.funds.withdrawalAddresses.save(accountId, address, { maxRetries: 0 });
  } catch (error) {
    if (!isPartnerError(error) || error.idempotencyKey === undefined) throw error;
    const { name, outcome, idempotencyKey } = error;
    line(`${name}, outcome ${outcome}, idempotency key ${idempotencyKey}`);
    const again = client.funds.withdrawalAddresses.save(accountId, address, { idempotencyKey });
    const { response } = await again.withResponse();
    line(`the same write with that idempotency key: replayed ${response.replayed}, so it had happened, once`);
  }
}

function sumUp({ sandbox }: Setting): void {
  if (sandbox === undefined) return;
  const { journal, books } = sandbox;
  const saves = journal.filter(({ operation }) => operation === 'funds.withdrawalAddresses.save');
  const saved = new Set(saves.filter(({ status }) => status === 200).map(({ key }) => key));
  title('What the sandbox has seen');
  line(`${journal.length} requests; ${saves.length} of them saved ${saved.size} addresses, each once`);
  line(`the books of all accounts balance: ${books.check().isBalanced}`);
  title('Read on');
  line('npx partner-sandbox             a sandbox for programs in any language, with a page that shows all of this');
  line('docs/money/crash-safety.md      payouts that survive a kill');
  line('docs/reference/operations.md    all 70 operations');
}

function title(text: string): void {
  console.log(`\n${text}`);
}

function line(text: string): void {
  console.log(`  ${text}`);
}

await main();
