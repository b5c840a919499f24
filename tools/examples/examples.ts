/** Examples: one good request of each operation, and what a seeded sandbox answers to it. */
import { randomUUID } from 'node:crypto';
import { operations } from '../../src/resources/operations.js';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.js';
import type { Operation } from '../../src/schema/operation.js';
import { signedHeaders } from './signing.js';

export interface ExampleInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface Example extends ExampleInput {
  /** The JSON of the answer; undefined if it has none. */
  readonly answer: unknown;
}

const BITCOIN_ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const ETHEREUM_ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const USD = { symbol: 'USD', type: 'fiat' };
const BTC = { symbol: 'BTC', type: 'crypto' };
const ONE = { page_size: 1 };

const QUOTE = { from: { ...USD, amount: '100.00' }, to: BTC };
const CONVERSION = { from: { asset: { ...USD, amount: '20.00' } }, to: { asset: BTC } };
const TRANSFER = { from: { asset: { ...USD, amount: '5.00' } }, to: { tag: 'a friend' } };
const SWAP = { trade: QUOTE, when: { base: BTC, quote: USD, drops_to: '60000' } };
const ONCHAIN_QUOTE = {
  from: {
    symbol: 'USDC',
    type: 'stablecoin',
    amount: '100',
    wallet: { address: ETHEREUM_ADDRESS, network: 'ethereum' },
  },
  to: { symbol: 'AAPLx', type: 'xstock' },
};

/** Asks a sandbox as a partner does. */
async function answerTo(sandbox: Sandbox, operation: Operation, input: ExampleInput, nonce: bigint): Promise<unknown> {
  const target = targetOf(operation, input);
  const body = input.body === undefined ? undefined : JSON.stringify(input.body);
  const headers = {
    ...signedHeaders(sandbox.credentials, target, nonce, body),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(operation.otp === true ? { 'API-Otp': sandbox.fixtures.otp } : {}),
    ...(operation.retrySafety === 'keyed' ? { 'Idempotency-Key': randomUUID() } : {}),
  };
  const init = { method: operation.method, headers, ...(body === undefined ? {} : { body }) };
  const answer = await sandbox.fetch(new Request(`https://sandbox.example${target}`, init));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the example of ${operation.name} is answered ${answer.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Returns path and query as they are sent. */
export function targetOf({ path }: Pick<Operation, 'path'>, { params = {}, query = {} }: ExampleInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = Object.entries(query).flatMap(([name, value]) => pairsOf(name, value));
  const text = pairs
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
  return text === '' ? filled : `${filled}?${text}`;
}

function pairsOf(name: string, value: unknown): [string, unknown][] {
  if (!Array.isArray(value)) return [[name, value]];
  return value.flatMap((item: unknown, index): [string, unknown][] =>
    typeof item === 'object' && item !== null
      ? Object.entries(item).map(([member, inner]) => [`${name}[${index}][${member}]`, inner])
      : [[name, item]],
  );
}

const idIn = ({ answer }: Example, path: readonly (string | number)[] = ['data', 'id']): string => {
  const found = path.reduce<unknown>((value, name) => (value as Record<string | number, unknown>)[name], answer);
  return String(found);
};

/**
 * Returns the examples by the names of the operations. The sandbox's seed makes them the same each
 * time.
 */
export async function makeExamples(): Promise<ReadonlyMap<string, Example>> {
  await using sandbox = createSandbox({ seed: 1 });
  return await askSandbox(sandbox);
}

/** Asks a sandbox that nobody has asked before, and returns the examples of its seed. */
export async function askSandbox(sandbox: Sandbox): Promise<ReadonlyMap<string, Example>> {
  const examples = new Map<string, Example>();
  let nonce = 1n;
  const ask = async (name: string, input: ExampleInput = {}): Promise<Example> => {
    const operation = operations.find((one) => one.name === name);
    if (operation === undefined) throw new Error(`there is no operation ${name}`);
    const example = { ...input, answer: await answerTo(sandbox, operation, input, nonce++) };
    examples.set(name, example);
    return example;
  };
  await askAll(ask, sandbox);
  const missing = operations.filter(({ name }) => !examples.has(name)).map(({ name }) => name);
  if (missing.length > 0) throw new Error(`operations without an example: ${missing.join(', ')}`);
  return examples;
}

type Ask = (name: string, input?: ExampleInput) => Promise<Example>;

async function askAll(ask: Ask, { fixtures }: Sandbox): Promise<void> {
  const user = { user_id: fixtures.userId };
  const account = { account_id: fixtures.accountId };
  await askUsers(ask, user);
  await askAssets(ask, user);
  await askTrading(ask, account, fixtures.quoteId);
  await askPortfolio(ask, account);
  await askFunds(ask, account, fixtures);
  await askEarn(ask, account);
  await askRamp(ask);
  await askWebhooks(ask, fixtures.webhookId);
}

async function askUsers(ask: Ask, params: { user_id: string }): Promise<void> {
  await ask('users.get', { params });
  await ask('users.create', {
    body: {
      email: 'ada@customer.example',
      external_reference: 'customer-ada',
      phone: '+442071234567',
      full_name: { first_name: 'Ada', last_name: 'Byron' },
      nationalities: ['GB'],
      residence: { line1: '1 High St', city: 'London', postal_code: 'W1', country: 'GB' },
    },
  });
  await ask('users.createHeadless', { body: { external_reference: 'customer-headless' } });
  await ask('users.update', { params, body: { phone: '+442071234568' } });
  const metadata = { document_type: 'passport', issuing_country: 'GB' };
  const document = { type: 'identity_document', front_url: 'https://documents.example/ada/front.jpg', metadata };
  await ask('users.verifications.submitUrl', { params, body: document });
  await ask('users.verifications.list', { params });
}

async function askAssets(ask: Ask, params: { user_id: string }): Promise<void> {
  await ask('users.assets.list', { params, query: { type: ['crypto'], ...ONE } });
  await ask('assets.list', { query: { type: ['crypto'], sort: 'market_cap_rank', ...ONE } });
  const bitcoin = { asset_type: 'crypto', asset_symbol: 'BTC' };
  await ask('assets.get', { params: bitcoin, query: { quote_symbol: 'EUR', quote_type: 'fiat' } });
  await ask('assets.rates.list', { params: bitcoin, query: { interval: 'P1D', ...ONE } });
  await ask('swap.assets.list', { query: ONE });
}

async function askTrading(ask: Ask, params: { account_id: string }, quoteId: string): Promise<void> {
  await ask('accounts.conversionRules.create', {
    params,
    body: {
      name: 'salaries',
      from: { asset: USD, via: 'sepa' },
      to: { asset: BTC, destination: { type: 'balance' } },
    },
  });
  const conversion = await ask('accounts.conversions.create', { params, body: CONVERSION });
  await ask('accounts.conversions.list', { params, query: ONE });
  await ask('conversions.get', { params: { conversion_id: idIn(conversion) } });
  await ask('accounts.deposits.create', { params, body: { asset: { ...BTC, amount: '0.5' }, via: 'bitcoin' } });
  const transfer = await ask('accounts.transfers.create', { params, body: TRANSFER });
  await ask('accounts.transfers.list', { params, query: ONE });
  await ask('transfers.get', { params: { transfer_id: idIn(transfer) } });
  await ask('transfers.cancel', { params: { transfer_id: idIn(transfer) } });
  await ask('accounts.onDemandConversions.list', { params, query: ONE });
  await ask('accounts.quotes.get', { params: { ...params, quote_id: quoteId } });
  const quote = await ask('accounts.quotes.create', { params, body: QUOTE });
  await ask('accounts.quotes.execute', { params: { ...params, quote_id: idIn(quote) } });
  const swap = await ask('accounts.priceTriggerSwaps.create', { params, body: SWAP });
  await ask('accounts.priceTriggerSwaps.get', { params: { ...params, id: idIn(swap) } });
  await ask('accounts.priceTriggerSwaps.list', { params, query: { statuses: ['active'], ...ONE } });
  await ask('accounts.priceTriggerSwaps.cancel', { params: { ...params, id: idIn(swap) } });
  const onchain = await ask('accounts.onchainQuotes.create', { params, body: ONCHAIN_QUOTE });
  await ask('accounts.onchainQuotes.get', { params: { ...params, quote_id: idIn(onchain) } });
  await ask('accounts.onchainQuotes.list', { params, query: ONE });
  await ask('accounts.wallets.whitelist', { params, body: { via: 'bitcoin', address: BITCOIN_ADDRESS } });
}

async function askPortfolio(ask: Ask, params: { account_id: string }): Promise<void> {
  await ask('accounts.portfolio.details', { params, query: { quote_symbol: 'EUR', quote_type: 'fiat' } });
  await ask('accounts.portfolio.summary', { params });
  await ask('accounts.portfolio.transactions.list', { params, query: { types: ['simple_order'], ...ONE } });
  await ask('accounts.portfolio.history', { params, query: { assets: [BTC] } });
  await ask('reports.settlement.list', { query: { report_type: ['swaps'], ...ONE } }).then((reports) =>
    ask('reports.settlement.get', { params: { report_id: idIn(reports, ['data', 0, 'id']) } }),
  );
}

async function askFunds(ask: Ask, params: { account_id: string }, fixtures: Sandbox['fixtures']): Promise<void> {
  await ask('funds.withdrawalAddresses.save', {
    params,
    body: { asset_symbol: 'BTC', method_id: fixtures.methodId, key: 'cold wallet', address: BITCOIN_ADDRESS },
  });
  await ask('funds.withdrawalAddresses.validate', {
    body: { asset_symbol: 'BTC', method_id: fixtures.methodId, address: BITCOIN_ADDRESS },
  });
  await ask('funds.withdrawals.create', { params, body: { asset_symbol: 'BTC', key: 'cold wallet', amount: '0.01' } });
  await ask('funds.withdrawalAddresses.update', {
    params: { ...params, key: 'cold wallet' },
    body: { new_key: 'vault' },
  });
  await ask('funds.withdrawalAddresses.list', { params, query: ONE });
  await ask('funds.withdrawalMethods.list', { params: { ...params, asset_symbol: 'BTC' }, query: ONE });
  await ask('funds.withdrawalAddresses.delete', { params: { ...params, key: 'vault' } });
  await ask('funds.bankLinks.get', { params: { ...params, bank_link_id: fixtures.bankLinkId } });
  const xrp = { ...params, asset_symbol: 'XRP' };
  await ask('funds.depositLimits.list', { params: xrp, query: ONE });
  const methods = await ask('funds.depositMethods.list', { params: xrp });
  const method_id = idIn(methods, ['data', 0, 'id']);
  await ask('funds.depositAddresses.create', { params, body: { asset_symbol: 'XRP', method_id } });
  await ask('funds.depositAddresses.list', { params, query: { asset_symbol: 'XRP' } });
  await ask('funds.transactions.list', { query: { type: 'withdrawal', ...ONE } });
  await ask('funds.addresses.delete', { params: { ...params, address_id: fixtures.addressId } });
}

async function askEarn(ask: Ask, params: { account_id: string }): Promise<void> {
  await ask('accounts.earn.auto.get', { params });
  await ask('accounts.earn.auto.update', { params, body: { staking: 'enabled' } });
  await ask('accounts.earn.auto.assets.list', { params, query: ONE });
  await ask('accounts.earn.auto.allocations.list', { params, query: ONE });
  await ask('accounts.earn.auto.rewards.list', { params, query: ONE });
  await ask('earn.auto.assets.list', { query: { country: 'DE', ...ONE } });
}

async function askRamp(ask: Ask): Promise<void> {
  await ask('ramp.countries.list');
  await ask('ramp.fiatCurrencies.list');
  await ask('ramp.paymentMethods.list', { query: ONE });
  await ask('ramp.assets.list', { query: { country: 'DE', ...ONE } });
  const sides = { in_asset_symbol: 'EUR', out_asset_symbol: 'BTC' };
  await ask('ramp.limits.get', { query: sides });
  await ask('ramp.checkout.get', { query: { ...sides, in_amount: '100' } });
  await ask('rampQuotes.prospective', { query: { from_symbol: 'USD', to_symbol: 'BTC', from_amount: '250.50' } });
}

async function askWebhooks(ask: Ask, webhookId: string): Promise<void> {
  await ask('webhooks.list', { query: ONE });
  const body = { url: 'https://partner.example/hooks', events: ['quote.executed'] };
  await ask('webhooks.create', { body });
  const params = { webhook_id: webhookId };
  await ask('webhooks.update', { params, body: { description: 'all quotes' } });
  await ask('webhooks.test', { params });
  await ask('webhooks.delete', { params });
}
