// A strict application that touches every resource. It is compiled, never run; a line marked as an error must be one.
import type * as sdk from 'partner-sdk';
import {
  ApiError,
  ConfigurationError,
  ConflictError,
  Decimal,
  ForbiddenError,
  fetchTransport,
  idempotencyKeyFor,
  isApiError,
  isPartnerError,
  PartnerClient,
  PartnerError,
  pinoLogger,
  RequestValidationError,
  ResponseValidationError,
  undiciTransport,
  WebhookVerificationError,
} from 'partner-sdk';
import { type IoredisClient, type NodeRedisClient, redisKeyLeases } from 'partner-sdk/redis';
import { createSandbox } from 'partner-sdk/sandbox';
import {
  isWebhookEvent,
  memoryReplayGuard,
  nodeWebhookHandler,
  type ReplayGuard,
  WebhookVerificationError as SameVerificationError,
  signWebhook,
  verifyWebhook,
  type WebhookEvent,
  type WebhookEventOf,
  type WebhookEventType,
  webhookHandler,
} from 'partner-sdk/webhooks';

const userId = 'user-0123456789';
const accountId = 'account-0123456789';

export async function clients(): Promise<void> {
  const client = new PartnerClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'key',
    apiSecret: async () => 'c2VjcmV0',
    timeout: 30_000,
    maxRetries: undefined,
    otp: (operation: string) => operation,
    nonce: { next: () => 1n },
    nonceOrder: 'adaptive',
    signer: { sign: (input) => `${input.nonce}${input.path}` },
    transport: undiciTransport(),
    logger: pinoLogger({ info: (_fields: object, _message: string) => undefined }),
    hooks: { onRetry: () => undefined, onEnd: ({ callId }) => callId, run: (_event, next) => next() },
  });
  const patient: PartnerClient = client.withOptions({ timeout: 60_000, transport: fetchTransport() });
  const settings: object = patient.stats();
  await patient.close();
  await using scoped = new PartnerClient();
  void scoped;
  void settings;
  new PartnerClient({ credentials: [{ apiKey: 'a', apiSecret: 'c2VjcmV0' }] });
  // @ts-expect-error: an unknown option
  new PartnerClient({ retries: 3 });
  // @ts-expect-error: only undiciTransport and fetchTransport make a transport
  new PartnerClient({ transport: { name: 'mine', connect: () => undefined } });
}

export function shared(nodeRedis: NodeRedisClient, ioredis: IoredisClient): PartnerClient[] {
  const leases: sdk.NonceSource = redisKeyLeases(nodeRedis, { keysPerProcess: 2, keysArePartnerWide: true });
  // @ts-expect-error: an unknown option
  redisKeyLeases(ioredis, { keyPerProcess: 2 });
  // @ts-expect-error: no Redis client
  redisKeyLeases({ connect: () => undefined });
  return [leases, redisKeyLeases(ioredis)].map((nonce) => new PartnerClient({ nonce }));
}

export async function users(client: PartnerClient): Promise<void> {
  const user: sdk.User = await client.users.get(userId, { timeout: 1_000, signal: undefined });
  const state: string = user.status.state;
  const accounts: string[] = user.accounts.map(({ id, name }) => id + name + state);
  const verifications: sdk.Verification[] = await client.users.verifications.list(userId);
  const codes: string[] = verifications.flatMap(({ reasons }) => (reasons ?? []).map(({ code }) => code));
  const filters = { type: ['crypto', 'stablecoin'], sort: 'market_cap', page_size: 100 } as const;
  for await (const asset of client.users.assets.list(userId, filters)) {
    const listing: sdk.AssetListing = asset;
    const price: Decimal | undefined = listing.price?.times('1.01');
    void price;
  }
  const page = await client.users.assets.list(userId);
  const valuation: string = page.meta.quote_symbol;
  void [accounts, codes, valuation];
}

export async function lists(client: PartnerClient): Promise<void> {
  const list = client.accounts.onDemandConversions.list(accountId, { page_size: 25 }, { prefetch: true });
  for await (const conversion of list) endpoint(conversion);
  for await (const page of list.pages()) {
    const items: sdk.OnDemandConversion[] = [...page.items];
    const token: string | undefined = page.nextPageToken;
    void [items, token];
  }
  const first: sdk.Page<sdk.OnDemandConversion> = await list;
  const second: sdk.Page<sdk.OnDemandConversion> | undefined = first.hasNextPage ? await first.nextPage() : undefined;
  const bounded: sdk.OnDemandConversion[] = await list.toArray({ limit: 100 });
  const status: number = first.response.status;
  void [second, bounded, status];
  // @ts-expect-error: a list is collected only up to a limit
  await list.toArray();
}

function endpoint({ from, rate }: sdk.OnDemandConversion): string {
  if (from.type === 'wallet') return from.wallet.via;
  if (from.type === 'balance') return from.amount.toFixed() + rate.price.toFixed();
  // @ts-expect-error: only a wallet has one
  return from.wallet.via;
}

export async function quotes(client: PartnerClient): Promise<void> {
  const body = { from: { symbol: 'USD', type: 'fiat', amount: '100.00' }, to: { symbol: 'BTC', type: 'crypto' } };
  const { data, response } = await client.accounts.quotes.create(accountId, body).withResponse();
  const quote: sdk.Quote = data;
  const key: string | undefined = response.idempotencyKey;
  const replayed: boolean = response.replayed;
  const executed = await client.accounts.quotes.execute(accountId, quote.id, { idempotencyKey: key });
  const again: sdk.Quote = await client.accounts.quotes.get(accountId, executed.id);
  const total: Decimal = again.from.amount.plus(again.fees.trade.amount).times(again.rate.price);
  const exact: string = new Decimal('0.1').plus(total).toFixed();
  const wallet = { address: '0x0', network: 'ethereum' };
  const onchain: sdk.OnchainQuote = await client.accounts.onchainQuotes.create(accountId, {
    from: { symbol: 'USDC', type: 'stablecoin', amount: new Decimal('1.5'), wallet },
    to: { symbol: 'AAPLx', type: 'xstock' },
  });
  const baseUnits: string | undefined =
    onchain.execution_details?.proxy_swap_message.atomic_message.incoming_transfer.amount;
  const ramp: sdk.RampQuote = await client.rampQuotes.prospective({
    from_symbol: 'EUR',
    from_amount: '50',
    to_symbol: 'BTC',
  });
  const fee: Decimal | null = ramp.from.fee;
  void [replayed, exact, baseUnits, fee];
  await client.accounts.quotes.create(accountId, { from: body.to, to: { ...body.from, amount: '5' } });
  // @ts-expect-error: both amounts
  await client.accounts.quotes.create(accountId, { from: body.from, to: { ...body.to, amount: '1' } });
  // @ts-expect-error: no amount
  await client.accounts.quotes.create(accountId, { from: { symbol: 'USD', type: 'fiat' }, to: body.to });
  // @ts-expect-error: a read takes no idempotency key
  await client.accounts.quotes.get(accountId, quote.id, { idempotencyKey: key });
  // @ts-expect-error: an amount is never a number
  await client.accounts.quotes.create(accountId, { ...body, from: { symbol: 'USD', type: 'fiat', amount: 100 } });
}

export async function waiting(client: PartnerClient, options?: sdk.WaitOptions<sdk.Quote>): Promise<string> {
  const onPoll = (quote: sdk.Quote, { polls, nextDelay }: sdk.PollInfo): void => void [quote.status, polls, nextDelay];
  const end = await client.accounts.quotes.waitFor(accountId, 'quote', { timeout: 30_000, onPoll });
  const begun = await client.accounts.quotes.waitFor(accountId, 'quote', { until: ['executing', 'offered'] });
  const status: 'executing' | 'offered' | 'executed' | 'expired' | 'failed' = begun.status;
  // @ts-expect-error: no quote has this status
  await client.accounts.quotes.waitFor(accountId, 'quote', { until: 'exectued' });
  const decided: sdk.Quote = await client.accounts.quotes.waitFor(accountId, 'quote', {
    until: (quote) => quote.status !== 'offered',
  });
  const handedOn: sdk.Quote = await client.accounts.quotes.waitFor(accountId, 'quote', options);
  const user: sdk.User = await client.users.waitFor(userId, {
    until: (user) => user.status.required_actions.length > 0,
  });
  void [status, decided, handedOn, user];
  await client.users.get(userId).then(undefined, (error: sdk.PartnerError) => error.outcome);
  await client.users.get(userId).catch(({ outcome }: sdk.PartnerError) => outcome);
  // @ts-expect-error: a promise is no answer
  await client.users.waitFor(userId, { until: async () => true });
  switch (end.status) {
    case 'executed':
      return end.to.amount.toFixed();
    case 'expired':
      return end.expires_at;
    case 'failed':
      return end.id;
  }
}

/** What it gives must have a name that these declarations can say. */
export const quoteEnd = (client: PartnerClient) => client.accounts.quotes.waitFor(accountId, 'quote');

export async function accounts(client: PartnerClient): Promise<void> {
  const portfolio = await client.accounts.portfolio.details(accountId, { quote_symbol: 'EUR' });
  const entries: sdk.PortfolioEntry[] = portfolio.items;
  const unrealized: Decimal | undefined = entries[0]?.pnl?.unrealized;
  const wallet: sdk.WhitelistedWallet = await client.accounts.wallets.whitelist(
    accountId,
    { via: 'bitcoin', address: 'bc1q' },
    { otp: '123456' },
  );
  void [unrealized, portfolio.quote_type, wallet.status];
}

export async function funds(client: PartnerClient): Promise<void> {
  const saved = await client.funds.withdrawalAddresses.save(
    accountId,
    { asset_symbol: 'BTC', method_id: '3f0e5d0c-0f3c-4c57-9f0b-0d5b1f0a7c11', key: 'cold', address: 'bc1q' },
    { idempotencyKey: idempotencyKeyFor('save', 'funds.withdrawalAddresses.save', accountId, 'cold') },
  );
  const route: sdk.KeyedWrite = 'POST /v1/accounts/{account_id}/payments';
  idempotencyKeyFor('pay', route, accountId);
  // @ts-expect-error: the name of an operation begins with its group
  idempotencyKeyFor('save', 'withdrawalAddresses.save', accountId);
  // @ts-expect-error: a read takes no idempotency key
  idempotencyKeyFor('save', 'accounts.quotes.get', accountId);
  // @ts-expect-error: a DELETE takes none either
  idempotencyKeyFor('save', 'DELETE /v1/payments/{id}', accountId);
  // @ts-expect-error: all effects of one operation would share a key
  idempotencyKeyFor('save', 'funds.withdrawalAddresses.save');
  const tag: string | null = saved.tag;
  const renamed = await client.funds.withdrawalAddresses.update(accountId, saved.key, { new_key: 'vault' });
  const deleted: Promise<void> = client.funds.addresses.delete(accountId, 'ABxxxxx-xxxxx-xxxxxx');
  const bank: sdk.BankLink = await client.funds.bankLinks.get(accountId, 'link');
  const links: sdk.AccountLink[] = bank.account_links;
  const limits: sdk.DepositLimit[] = await client.funds.depositLimits.list(accountId, 'USD').toArray({ limit: 10 });
  const left: Decimal | undefined = limits[0]?.period_limits[0]?.remaining;
  await deleted;
  void [tag, renamed.key, links, left];
}

export async function others(client: PartnerClient): Promise<void> {
  for await (const subscription of client.webhooks.list()) {
    const subscribed: sdk.WebhookSubscription = subscription;
    void subscribed.events;
  }
  const answer: unknown = await client.request({
    method: 'POST',
    path: '/v1/users',
    body: { external_reference: 'r-1' },
    idempotent: false,
  });
  void answer;
}

export function errors(error: unknown): string | number | undefined {
  if (error instanceof ConflictError) return error.instance;
  if (error instanceof ForbiddenError && error.gateway) return 'gateway';
  if (isApiError(error, 'resource_exhausted')) return error.retryAfter;
  if (error instanceof ApiError) return error.causes[0]?.message ?? error.code;
  if (error instanceof RequestValidationError) return error.issues[0]?.path;
  if (error instanceof ResponseValidationError) return error.body;
  if (error instanceof WebhookVerificationError) return error.reason;
  if (error instanceof ConfigurationError) return error.message;
  if (isPartnerError(error)) return `${error.outcome} after ${error.attempts.count}`;
  return error instanceof PartnerError ? error.idempotencyKey : undefined;
}

export function deliveries(
  body: string | Uint8Array | ArrayBuffer,
  headers: Record<string, string | string[]>,
): string {
  const event: WebhookEvent = verifyWebhook({ body, headers, secret: 'c2VjcmV0' });
  const kind: WebhookEventType = event.type;
  const signed: Record<string, string> = {
    'content-type': 'application/json',
    ...signWebhook({ body, secret: 'c2VjcmV0' }),
  };
  verifyWebhook({ body, headers: signed, secrets: ['b2xk', 'bmV3'], toleranceSeconds: 60, scheme: undefined });
  verifyWebhook({ body, headers: { get: (name: string) => signed[name] ?? null }, secret: 'any', scheme: 'body' });
  // @ts-expect-error: a secret is needed
  verifyWebhook({ body, headers });
  // @ts-expect-error: the body is not the parsed object
  verifyWebhook({ body: { type: 'quote.executed' }, headers, secret: 'c2VjcmV0' });
  const same: typeof WebhookVerificationError = SameVerificationError;
  return kind === 'quote.executed' ? String(event.data['id']) : same.name;
}

export function typedEvent(event: WebhookEvent): string | undefined {
  if (event.type === 'quote.executed') return event.data.from?.amount;
  if (isWebhookEvent(event, 'conversion.withdrawal_completed')) {
    const { to } = event.data;
    // @ts-expect-error: only a wallet has one
    void to?.wallet?.via;
    return to?.type === 'wallet' ? to.wallet?.via : to?.['iban'] === undefined ? event.data.created_at : 'a bank';
  }
  if (isWebhookEvent(event, 'loan.repaid')) return String(event.data['amount']);
  switch (event.type) {
    case 'wallet.whitelisted':
      return event.data.status;
    case 'webhook.test':
      return event.data.message;
    default:
      // @ts-expect-error: nothing shows what other events contain
      return event.data.status;
  }
}

/** Inferred types that a library's declarations must be able to write down. */
export const kindOf = (event: WebhookEvent) => event.type;
export const payoutOf = (event: WebhookEventOf<'conversion.withdrawal_completed'>) => ({
  to: event.data.to,
  kind: event.data.to?.type,
});
export const endsOf = (conversion: sdk.OnDemandConversion) => [conversion.from.type, conversion.to] as const;

export function receivers(ids: Map<string, WebhookEventOf<'swap.completed' | 'swap.failed'>>) {
  const guard: ReplayGuard = { seen: async (id) => ids.has(id), forget: (id) => ids.delete(id) };
  const fetchStyle = webhookHandler({
    secrets: ['b2xk', 'bmV3'],
    guard: memoryReplayGuard({ limit: 1_000, ttl: undefined }),
    on: { 'quote.executed': async ({ id, data }) => void [id, data.rate?.price] },
    onEvent: (event) => event.raw,
    onRejected: ({ status, reason }) => `${status} ${reason}`,
    onError: (error, event) => [error, event?.id],
  });
  const nodeStyle = nodeWebhookHandler({ secret: 'c2VjcmV0', guard, onEvent: () => undefined, maxBodyBytes: 1_000 });
  // @ts-expect-error: a misspelled kind
  webhookHandler({ secret: 'c2VjcmV0', on: { 'quote.excuted': () => undefined } });
  return { fetchStyle, nodeStyle };
}

export async function sandbox(): Promise<void> {
  const service = createSandbox({ seed: 1 });
  const { url } = await service.listen({ port: 0 });
  const client = new PartnerClient({ baseUrl: url, ...service.credentials });
  service.fail({ fault: 503, times: 1, retryAfterSeconds: 1 });
  service.advance(60_000);
  await client.users.get(service.fixtures.userId);
  await service.close();
}

export class PartnerService {
  readonly #client = new PartnerClient();

  get accounts() {
    return this.#client.accounts;
  }

  get quotes() {
    return this.#client.accounts.quotes;
  }

  get addresses() {
    return this.#client.funds.addresses;
  }

  assets(userId: string) {
    return this.#client.users.assets.list(userId);
  }
}
