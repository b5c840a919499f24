import { pino } from 'pino';
import { describe, expectTypeOf, it } from 'vitest';
import { createLogger } from 'winston';
import { z } from 'zod';
import type * as sdk from '../../../src/index.js';
import { isApiError, isPartnerError, PartnerClient, pinoLogger } from '../../../src/index.js';

declare const client: PartnerClient;
const { quotes } = client.accounts;
const usd = { symbol: 'USD', type: 'fiat' };
const btc = { symbol: 'BTC', type: 'crypto' };

/** True when `any` stands anywhere in a type, a few levels deep. */
type HasAny<T, Depth extends 0[] = []> = 0 extends 1 & T
  ? true
  : Depth['length'] extends 6
    ? false
    : T extends sdk.Decimal | string | number | boolean | null | undefined
      ? false
      : T extends (...args: never[]) => unknown
        ? false
        : T extends readonly (infer Item)[]
          ? HasAny<Item, [...Depth, 0]>
          : T extends object
            ? true extends { [Key in keyof T]-?: HasAny<T[Key], [...Depth, 0]> }[keyof T]
              ? true
              : false
            : false;

describe('results', () => {
  it('of lists are items, pages, arrays', async () => {
    const list = client.accounts.onDemandConversions.list('a');
    for await (const item of list) expectTypeOf(item).toEqualTypeOf<sdk.OnDemandConversion>();
    for await (const page of list.pages()) expectTypeOf(page.items).items.toEqualTypeOf<sdk.OnDemandConversion>();
    const page = await list;
    expectTypeOf(page).toExtend<sdk.Page<sdk.OnDemandConversion>>();
    expectTypeOf(page.nextPageToken).toEqualTypeOf<string | undefined>();
    expectTypeOf(page.hasNextPage).toEqualTypeOf<boolean>();
    expectTypeOf(await page.nextPage()).toEqualTypeOf(page);
    expectTypeOf(page.response.status).toEqualTypeOf<number>();
    expectTypeOf(await client.funds.depositLimits.list('a', 'USD').toArray({ limit: 1 })).toEqualTypeOf<
      sdk.DepositLimit[]
    >();
    expectTypeOf(await client.funds.transactions.list({ type: 'deposit' }).toArray({ limit: 1 })).toEqualTypeOf<
      sdk.FundsTransaction[]
    >();
    expectTypeOf(await client.webhooks.list().toArray({ limit: 1 })).toEqualTypeOf<sdk.WebhookSubscription[]>();
    const assets = await client.users.assets.list('u');
    expectTypeOf(assets.items).items.toEqualTypeOf<sdk.AssetListing>();
    expectTypeOf(assets.meta.quote_symbol).toEqualTypeOf<string>();
  });

  it('have money as Decimal, base units and times as text', () => {
    expectTypeOf<sdk.Quote['from']['amount']>().toEqualTypeOf<sdk.Decimal>();
    expectTypeOf<sdk.Quote['rate']['price']>().toEqualTypeOf<sdk.Decimal>();
    expectTypeOf<sdk.PortfolioEntry['cost_basis_in_quote']>().toEqualTypeOf<sdk.Decimal | null>();
    expectTypeOf<sdk.AssetListing['price']>().toEqualTypeOf<sdk.Decimal | undefined>();
    expectTypeOf<sdk.RampQuote['from']['fee']>().toEqualTypeOf<sdk.Decimal | null>();
    expectTypeOf<sdk.DepositLimit['maximum_amount']['amount']>().toEqualTypeOf<sdk.Decimal>();
    expectTypeOf<sdk.Withdrawal['total']>().toEqualTypeOf<sdk.Decimal | undefined>();
    expectTypeOf<sdk.WithdrawalCreateBody['amount']>().toEqualTypeOf<sdk.Decimal | string>();
    type Transfer = sdk.OnchainExecutionDetails['proxy_swap_message']['atomic_message']['incoming_transfer'];
    expectTypeOf<Transfer['amount']>().toEqualTypeOf<string>();
    expectTypeOf<sdk.WebhookSubscription['created_at']>().toEqualTypeOf<string>();
  });

  it('have any nowhere', () => {
    expectTypeOf<HasAny<{ a: { b: { c: ReturnType<typeof JSON.parse> }[] | null } }>>().toEqualTypeOf<true>();
    type Results = [
      ...[
        sdk.User,
        sdk.Verification,
        sdk.AssetListing,
        sdk.PortfolioEntry,
        sdk.Quote,
        sdk.OnchainQuote,
        sdk.OnDemandConversion,
        sdk.WhitelistedWallet,
      ],
      ...[sdk.BankLink, sdk.DepositLimit, sdk.RampQuote, sdk.WebhookSubscription],
      ...[sdk.DepositMethod, sdk.DepositAddress, sdk.DepositAddressEntry, sdk.WithdrawalAddressEntry],
      ...[sdk.Withdrawal, sdk.FundsTransaction, sdk.WithdrawalCreateBody],
      ...[Awaited<ReturnType<typeof client.users.assets.list>>, Awaited<ReturnType<typeof quotes.execute>>],
    ];
    expectTypeOf<HasAny<Results>>().toEqualTypeOf<false>();
  });

  it('with response have data and what is known about the answer', async () => {
    const { data, response } = await client.users.get('u').withResponse();
    expectTypeOf(data).toEqualTypeOf<sdk.User>();
    expectTypeOf(response.attempts).toEqualTypeOf<number>();
    expectTypeOf(response.replayed).toEqualTypeOf<boolean>();
    expectTypeOf(response.idempotencyKey).toEqualTypeOf<string | undefined>();
    expectTypeOf(response.headers['x']).toEqualTypeOf<string | undefined>();
  });
});

describe('a conversion\u2019s endpoint', () => {
  it('narrows by its type', () => {
    const narrow = (c: sdk.OnDemandConversion) => {
      if (c.from.type === 'wallet') {
        expectTypeOf(c.from.wallet.via).toEqualTypeOf<string>();
        expectTypeOf(c.from.amount).toEqualTypeOf<sdk.Decimal>();
        expectTypeOf(c.from.wallet.memo).toEqualTypeOf<string | undefined>();
      } else if (c.from.type === 'balance') {
        expectTypeOf(c.from.amount).toEqualTypeOf<sdk.Decimal>();
        // @ts-expect-error a balance has no wallet
        c.from.wallet;
      } else if (c.from.type === 'bank') {
        expectTypeOf(c.from.type).toEqualTypeOf<'bank'>();
      } else {
        expectTypeOf(c.from['last4']).toEqualTypeOf<unknown>();
      }
      // @ts-expect-error not before the type is known
      c.to.wallet.via;
    };
    expectTypeOf(narrow).returns.toBeVoid();
  });
});

describe('enumerations', () => {
  it('offer what is known and take what is not', () => {
    expectTypeOf<'offered'>().toExtend<sdk.Quote['status']>();
    expectTypeOf<'a later one'>().toExtend<sdk.Quote['status']>();
    // A bare string would have swallowed the known values: then no editor offers them.
    expectTypeOf<sdk.Quote['status']>().not.toEqualTypeOf<string>();
    expectTypeOf<sdk.OnDemandConversion['status']>().not.toEqualTypeOf<string>();
    expectTypeOf<sdk.Verification['status']>().not.toEqualTypeOf<string>();
    expectTypeOf<sdk.WhitelistedWallet['status']>().not.toEqualTypeOf<string>();
    expectTypeOf<sdk.AssetListing['type']>().not.toEqualTypeOf<string>();
    expectTypeOf<sdk.BankLink['status']>().not.toEqualTypeOf<string>();
  });
});

describe('money handed in', () => {
  it('is text or Decimal', () => {
    const decimal = {} as sdk.Decimal;
    client.accounts.quotes.create('a', { from: { ...usd, amount: '1' }, to: btc });
    client.accounts.quotes.create('a', { from: { ...usd, amount: decimal }, to: { ...btc, amount: undefined } });
    client.rampQuotes.prospective({ from_amount: decimal, to_symbol: undefined });
  });

  it('is never a number', () => {
    // @ts-expect-error a number loses digits
    client.accounts.quotes.create('a', { from: { ...usd, amount: 1 }, to: btc });
    // @ts-expect-error a bigint is no amount
    client.accounts.quotes.create('a', { from: { ...usd, amount: 1n }, to: btc });
    // @ts-expect-error a number loses digits
    client.rampQuotes.prospective({ from_amount: 1.5 });
    const wallet = { address: '0x', network: 'ethereum' };
    // @ts-expect-error a number loses digits
    client.accounts.onchainQuotes.create('a', { from: { ...usd, wallet }, to: { ...btc, amount: 1 } });
  });
});

describe('input', () => {
  it('has closed types for the order and the class of the quote asset', () => {
    const { portfolio } = client.accounts;
    client.users.assets.list('u', { sort: 'volume.last_24h', sort_direction: 'desc', quote_type: 'fiat' });
    portfolio.details('a', { quote_type: 'stablecoin' });
    // @ts-expect-error not an order
    client.users.assets.list('u', { sort: 'price.last_24h' });
    // @ts-expect-error values are in fiat money alone
    client.users.assets.list('u', { quote_type: 'stablecoin' });
    // @ts-expect-error values are in fiat money and stablecoins
    portfolio.details('a', { quote_type: 'crypto' });
    // @ts-expect-error not a class of assets
    client.assets.get('crypto', 'BTC', { quote_type: 'gold' });
  });

  it('takes an asset of a response, whose class is open, as does page.meta', () => {
    const { type } = {} as sdk.AssetListing;
    client.users.assets.list('u', { type: [type] });
    client.assets.get(type, 'BTC');
    expectTypeOf<string>().toExtend<sdk.AssetPageMeta['sort']>();
    expectTypeOf<string>().toExtend<sdk.AssetPageMeta['sort_direction']>();
    expectTypeOf<string>().toExtend<sdk.AssetPageMeta['quote_type']>();
  });

  it('takes undefined for every optional member, and read-only values', () => {
    client.users.assets.list('u', { type: undefined, page_size: undefined, deposit: undefined, quote_type: undefined });
    client.users.assets.list('u', { type: ['crypto', 'fiat'] as const } as const, {
      prefetch: undefined,
      signal: undefined,
    });
    client.accounts.portfolio.details(
      'a',
      { quote_symbol: undefined },
      { timeout: undefined, otp: undefined, headers: undefined },
    );
    client.accounts.wallets.whitelist('a', { via: 'v', address: 'a', memo: undefined }, { idempotencyKey: undefined });
    client.webhooks.list(undefined, { prefetch: true, signal: new AbortController().signal });
    client.accounts.quotes.create('a', { from: { ...usd, amount: '1' }, to: btc, fee: undefined });
  });

  it('of a read value can be handed back in', () => {
    const again = (quote: sdk.Quote) =>
      client.accounts.quotes.create('a', {
        from: { ...quote.from },
        to: { symbol: quote.to.symbol, type: quote.to.type },
      });
    expectTypeOf(again).returns.resolves.toEqualTypeOf<sdk.Quote>();
  });

  it('without what is required, or with an unknown option, is an error', () => {
    // @ts-expect-error the limit is required
    client.webhooks.list().toArray();
    // @ts-expect-error the limit is required
    client.webhooks.list().toArray({});
    // @ts-expect-error the account is required
    client.accounts.onDemandConversions.list();
    // @ts-expect-error an id is text
    client.users.get(5);
    // @ts-expect-error an address is required
    client.accounts.wallets.whitelist('a', { via: 'v' });
    // @ts-expect-error no such option
    client.users.get('u', { retries: 1 });
    // @ts-expect-error no list
    client.users.get('u', { prefetch: true });
    // @ts-expect-error a list has page.response instead
    client.webhooks.list().withResponse();
  });
});

describe('an idempotency key', () => {
  const idempotencyKey = 'a0b1c2d3-0000-4000-b000-0123456789ab';

  it('is taken by every write that has one, also from options of a wide type', () => {
    const options: sdk.RequestOptions = { idempotencyKey, timeout: 1 };
    client.accounts.quotes.create('a', { from: { ...usd, amount: '1' }, to: btc }, { idempotencyKey });
    client.accounts.quotes.execute('a', 'q', options);
    client.accounts.wallets.whitelist('a', { via: 'v', address: 'x' }, { idempotencyKey });
    client.funds.withdrawalAddresses.update('a', 'k', { new_key: 'n' }, { idempotencyKey });
    // What helps to make any call may be handed on to a read.
    client.users.get('u', options);
  });

  it('of a read, or of a write that takes none, does not compile', () => {
    // @ts-expect-error a read
    client.users.get('u', { idempotencyKey });
    // @ts-expect-error a read
    client.accounts.quotes.waitFor('a', 'q', { idempotencyKey });
    // @ts-expect-error a list
    client.webhooks.list({}, { idempotencyKey });
    // @ts-expect-error repeated without one
    client.funds.addresses.delete('a', 'b', { idempotencyKey });
    const wallet = { address: '0x', network: 'ethereum' };
    // @ts-expect-error repeated without one
    client.accounts.onchainQuotes.create('a', { from: { ...usd, amount: '1', wallet }, to: btc }, { idempotencyKey });
    expectTypeOf<sdk.UnkeyedRequestOptions>().not.toHaveProperty('idempotencyKey');
    expectTypeOf<sdk.RequestOptions>().toExtend<sdk.UnkeyedRequestOptions>();
  });
});

describe('the sides of a quote', () => {
  const wallet = { address: '0x', network: 'ethereum' };
  const [give, take] = [{ ...usd, amount: '1' }, btc];
  const quote = (body: sdk.QuoteCreateBody) => body;
  const onchain = (body: sdk.OnchainQuoteCreateBody) => body;

  it('carry exactly one amount', () => {
    quote({ from: give, to: take });
    quote({ from: take, to: give, fee: { bps: 10 } });
    quote({ from: { ...give, amount: {} as sdk.Decimal }, to: { ...take, amount: undefined } });
    onchain({ from: { ...give, wallet }, to: take });
    onchain({ from: { ...take, wallet }, to: give });
    const body = { from: give, to: take };
    quote(body);
    quote({ ...body, fee: undefined });
    const buy = (amount: string, side: 'from' | 'to') =>
      quote(side === 'from' ? { from: { ...usd, amount }, to: btc } : { from: usd, to: { ...btc, amount } });
    expectTypeOf(buy).returns.toEqualTypeOf<sdk.QuoteCreateBody>();
    const from: sdk.FixedQuoteSide | sdk.ComputedQuoteSide = { ...usd, amount: '1' };
    quote({ from, to: take });
  });

  it('with both amounts, or none, do not compile', () => {
    // @ts-expect-error both
    quote({ from: give, to: { ...take, amount: '2' } });
    // @ts-expect-error none
    quote({ from: usd, to: btc });
    // @ts-expect-error none
    quote({ from: { ...usd, amount: undefined }, to: btc });
    // @ts-expect-error both
    onchain({ from: { ...give, wallet }, to: { ...take, amount: '2' } });
    // @ts-expect-error none
    onchain({ from: { ...usd, wallet }, to: btc });
    // @ts-expect-error no wallet
    onchain({ from: give, to: take });
    const both = { from: give, to: give };
    // @ts-expect-error both, by a body that was made before
    client.accounts.quotes.create('a', both);
  });

  it('of a wide type, which may have an amount or not, do not compile', () => {
    const wide = usd as { symbol: string; type: string; amount?: string };
    // @ts-expect-error it may have none
    quote({ from: wide, to: btc });
    // @ts-expect-error both may have one
    quote({ from: wide, to: wide });
  });
});

describe('hooks and loggers', () => {
  it('are told the documented events', () => {
    expectTypeOf<Parameters<NonNullable<sdk.Hooks['onEnd']>>[0]>().toEqualTypeOf<sdk.EndEvent>();
    expectTypeOf<sdk.EndEvent['error']>().toEqualTypeOf<sdk.PartnerError | undefined>();
    expectTypeOf<sdk.RequestEvent['queueTime']>().toEqualTypeOf<number>();
    const run: sdk.Hooks['run'] = (event, next) => {
      if (event.kind === 'attempt') expectTypeOf(event.attempt).toEqualTypeOf<number>();
      else expectTypeOf(event.attempt).toEqualTypeOf<undefined>();
      return next();
    };
    expectTypeOf(run).toExtend<sdk.Hooks['run']>();
  });

  it('of console, pino and winston are taken', () => {
    new PartnerClient({ logger: console });
    new PartnerClient({ logger: pino() });
    new PartnerClient({ logger: pinoLogger(pino()) });
    new PartnerClient({ logger: createLogger() });
    // @ts-expect-error no such hook
    new PartnerClient({ hooks: { onSuccess: () => undefined } });
  });
});

describe('request()', () => {
  it('is typed by its schema, and unknown without one', () => {
    expectTypeOf(client.request({ method: 'GET', path: '/v1/x' })).resolves.toEqualTypeOf<unknown>();
    const schema = z.object({ id: z.string(), n: z.string().transform(Number) });
    expectTypeOf(client.request({ method: 'GET', path: '/v1/x', schema })).resolves.toEqualTypeOf<{
      id: string;
      n: number;
    }>();
    expectTypeOf(client.request({ method: 'GET', path: '/v1/x', schema }).withResponse()).resolves.toHaveProperty(
      'data',
    );
    // @ts-expect-error no such method
    client.request({ method: 'TRACE', path: '/v1/x' });
  });

  it('takes a key for a write, and none for a read', () => {
    const idempotencyKey = 'a0b1c2d3-0000-4000-b000-0123456789ab';
    client.request({ method: 'POST', path: '/v1/x', idempotent: true, idempotencyKey });
    // @ts-expect-error a read takes no key
    client.request({ method: 'GET', path: '/v1/x', idempotencyKey });
  });
});

describe('errors', () => {
  it('have no member with which a web framework would answer', () => {
    type Answered = 'status' | 'statusCode' | 'statusText' | 'statusMessage' | 'headers' | 'expose';
    expectTypeOf<Answered & keyof sdk.ApiError>().toEqualTypeOf<never>();
    expectTypeOf<Answered & keyof sdk.ResponseValidationError>().toEqualTypeOf<never>();
    expectTypeOf<sdk.ResponseValidationError['response']>().toEqualTypeOf<sdk.ApiError['response'] | undefined>();
  });
});

describe('guards', () => {
  it('narrow an unknown error', () => {
    const read = (error: unknown): unknown => {
      if (isApiError(error, 'conflict')) return expectTypeOf(error.response.status).toEqualTypeOf<number>();
      if (isApiError(error)) return expectTypeOf(error.retryAfter).toEqualTypeOf<number | undefined>();
      if (isPartnerError(error))
        return expectTypeOf(error.outcome).toEqualTypeOf<'applied' | 'not_applied' | 'unknown'>();
      return expectTypeOf(error).toEqualTypeOf<unknown>();
    };
    expectTypeOf(read).returns.toEqualTypeOf<unknown>();
  });
});
