import { readFileSync } from 'node:fs';

/**
 * The names that an example of a docstring may use without declaring them, beside those of every
 * document (`client`, `userId`, `accountId`, `quoteId`, `methodId`) and all that the package
 * exports. The value is the code that gives the name its meaning.
 */
export const NAMES: Readonly<Record<string, string>> = {
  // What the service has.
  conversionId: `const { id: conversionId } = await client.accounts.conversions.create(accountId, {
    from: { asset: { symbol: 'USD', type: 'fiat', amount: '20.00' } }, to: { asset: { symbol: 'BTC', type: 'crypto' } },
  });`,
  bankLinkId: 'const { bankLinkId } = sandbox.fixtures;',
  addressId: 'const { addressId } = sandbox.fixtures;',
  addressKey: 'const { withdrawalAddressKey: addressKey } = sandbox.fixtures;',
  webhookId: 'const { webhookId } = sandbox.fixtures;',
  transferId: `const { id: transferId } = await client.accounts.transfers.create(accountId, {
    from: { asset: { symbol: 'USD', type: 'fiat', amount: '5.00' } }, to: { tag: 'ada' },
  });`,
  swapId: `const { id: swapId } = await client.accounts.priceTriggerSwaps.create(accountId, {
    trade: { from: { symbol: 'USD', type: 'fiat', amount: '100.00' }, to: { symbol: 'BTC', type: 'crypto' } },
    when: { base: { symbol: 'BTC', type: 'crypto' }, quote: { symbol: 'USD', type: 'fiat' }, drops_to: '60000' },
  });`,
  onchainQuoteId: `const { id: onchainQuoteId } = await client.accounts.onchainQuotes.create(accountId, {
    from: {
      symbol: 'USDC', type: 'stablecoin', amount: '100',
      wallet: { address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', network: 'ethereum' },
    },
    to: { symbol: 'AAPLx', type: 'xstock' },
  });`,
  verificationId: `const [{ verification_id: verificationId }] =
    (await client.users.verifications.list(userId)) as [Verification, ...Verification[]];`,
  refId: `const { ref_id: refId } = await client.funds.withdrawals.create(accountId, {
    asset_symbol: 'BTC', key: sandbox.fixtures.withdrawalAddressKey, amount: '0.01',
  });`,
  reportId: `const [report] = await client.reports.settlement.list();
  const reportId = report?.id ?? '';`,
  // What the caller's program has.
  baseUrl: 'const baseUrl = url;',
  apiKey: 'const { apiKey } = sandbox.credentials;',
  apiSecret: 'const { apiSecret } = sandbox.credentials;',
  credentials: 'const credentials = [sandbox.credentials];',
  orderId: "const orderId = 'order-4711';",
  tag: "const tag = 'ada';",
  rows: `const rows = [{
    id: 'row-1', asset_symbol: 'BTC', method_id: methodId, key: 'customer 1',
    address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  }];`,
  otp: 'const { otp } = sandbox.fixtures;',
  authenticator: 'const authenticator = { code: () => sandbox.fixtures.otp };',
  vault: 'const vault = { read: async (_name: string) => sandbox.credentials.apiSecret };',
  hsm: "const hsm = { sign: (_input: object) => 'c2lnbmF0dXJl' };",
  counter: 'const counter = { next: (_apiKey: string) => 1n };',
  app: 'const app = { fetch: async (_request: Request) => new Response() };',
  audit: 'const audit = { add: (..._entry: unknown[]) => {} };',
  gauges: 'const gauges = { add: (_read: () => number) => {} };',
  spanContexts: `import type { SpanContext } from '@opentelemetry/api';
  const spanContexts = new Map<string, SpanContext>();`,
  ca: 'const ca = certificate.cert;',
  cert: 'const { cert } = certificate;',
  key: 'const { key } = certificate;',
  certificate: `import { certificateFor } from '../support/certificate.js';
  const certificate = certificateFor('127.0.0.1');`,
  // A delivery.
  webhookUrl: 'const webhookUrl = url;',
  settle: 'const settle = async (_event: object) => {};',
  secret: "const secret = 'c2VjcmV0IG9mIHRoZSB3ZWJob29r';",
  rawBody: "const rawBody = JSON.stringify({ id: 'evt_1', type: 'quote.executed', data: { id: quoteId } });",
  headers: 'const headers = signWebhook({ body: rawBody, secret });',
  request:
    "const request = new Request('https://partner.example/webhooks', { method: 'POST', body: rawBody, headers });",
};

/** Makes the call of an example fail, so that the example's own lines about the failure run. */
export const FAILURES: Readonly<Record<string, string>> = {
  PartnerError: 'sandbox.fail({ fault: 409 });',
  ConfigurationError: '',
  WebhookVerificationError: 'const headers = {};',
  isPartnerError: 'sandbox.fail({ fault: 404 });',
  RequestValidationError: '',
  ApiError: 'sandbox.fail({ fault: 409 });',
  BadRequestError: "sandbox.fail({ fault: 400, causes: [{ field: 'phone', message: 'is not a number' }] });",
  // One more attempt follows a 401.
  UnauthenticatedError: 'sandbox.fail({ fault: 401, times: 2 });',
  ForbiddenError: 'sandbox.fail({ fault: 403 });',
  NotFoundError: 'sandbox.fail({ fault: 404 });',
  ConflictError: 'sandbox.fail({ fault: 409 });',
  GoneError: 'sandbox.fail({ fault: 410 });',
  ResourceExhaustedError: 'sandbox.fail({ fault: 429 });',
  InternalError: 'sandbox.fail({ fault: 500 });',
  UnimplementedError: 'sandbox.fail({ fault: 501 });',
  UnavailableError: 'sandbox.fail({ fault: 503 });',
  DeadlineExceededError: 'sandbox.fail({ fault: 504 });',
  ConnectionError: "sandbox.fail({ fault: 'reset' });",
  TimeoutError: "sandbox.fail({ fault: 'timeout' });",
  AbortedError: "sandbox.fail({ fault: 'timeout' });",
  ProviderError: '',
  ResponseValidationError: "sandbox.fail({ fault: 'garbage' });",
  TradeError: "sandbox.troubles.add({ match: { operation: 'accounts.quotes.execute' }, does: { outcome: 'failed' } });",
};

/** Lets the time pass that the sandbox would take for what an example waits for. */
const PASSED: Readonly<Record<string, string>> = {
  'Conversions.waitFor': 'await sandbox.clock.advance(600_000);',
  'Transfers.waitFor': 'await sandbox.clock.advance(600_000);',
  'Withdrawals.waitFor': 'await sandbox.clock.advance(600_000);',
  'WaitOptions.signal': 'await sandbox.clock.advance(600_000);',
};

/** Returns the code that stands before an example: its names, what fails it, and its imports. */
export function givenFor(docstring: string, code: string): string[] {
  const failure = FAILURES[docstring] ?? '';
  const names = namesIn(code).filter((name) => !failure.includes(`const ${name} `));
  const given = [...names.map((name) => `${NAMES[name]}\n`), `${failure}\n${PASSED[docstring] ?? ''}\n`];
  return [importsOf([...given, code].join('')), ...given];
}

/** Returns the names of `NAMES` that code uses, those that give a name its meaning before it. */
function namesIn(code: string, found: string[] = []): string[] {
  for (const name of Object.keys(NAMES)) {
    if (found.includes(name) || !uses(code, name)) continue;
    namesIn((NAMES[name] ?? '').replace(new RegExp(`\\b${name}\\b`, 'g'), ''), found);
    found.push(name);
  }
  return found;
}

const uses = (code: string, name: string): boolean => new RegExp(`(?<![.'\\w])${name}\\b(?!')`).test(code);

/** Every export of the package with the entry to import it from: the main entry, if that has it. */
const EXPORTS: ReadonlyMap<string, string> = new Map(
  Array.from(readFileSync('api/names.txt', 'utf8').matchAll(/^(partner-sdk\S*) (type|value) (\w+)$/gm))
    .reverse()
    .map(([, entry = '', kind = '', name = '']) => [
      name,
      `import { ${kind === 'type' ? 'type ' : ''}${name} } from '${entry}';\n`,
    ]),
);

function importsOf(code: string): string {
  return [...EXPORTS].flatMap(([name, line]) => (uses(code, name) ? [line] : [])).join('');
}
