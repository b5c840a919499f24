import { describe, expectTypeOf, it } from 'vitest';
import type * as sdk from '../../../src/index.js';

declare const client: sdk.PartnerClient;
type TerminalQuoteStatus = 'executed' | 'expired' | 'failed';
const { quotes } = client.accounts;

describe('the quote that was waited for', () => {
  it('is of a terminal status', async () => {
    const end = await quotes.waitFor('a', 'q');
    expectTypeOf(end.status).toEqualTypeOf<TerminalQuoteStatus>();
    expectTypeOf(end).toExtend<sdk.Quote>();
    if (end.status === 'executed') {
      expectTypeOf(end).toEqualTypeOf<sdk.QuoteWithStatus<'executed'>>();
    } else if (end.status === 'failed') {
      expectTypeOf(end).toEqualTypeOf<sdk.QuoteWithStatus<'failed'>>();
    } else {
      expectTypeOf(end).toEqualTypeOf<sdk.QuoteWithStatus<'expired'>>();
    }
    // @ts-expect-error it is not offered any more
    if (end.status === 'offered') return;
  });

  it('may be of what until names, too', async () => {
    const one = await quotes.waitFor('a', 'q', { until: 'executing' });
    expectTypeOf(one.status).toEqualTypeOf<'executing' | TerminalQuoteStatus>();
    const several = await quotes.waitFor('a', 'q', { until: ['executing', 'offered'], timeout: 1_000 });
    expectTypeOf(several.status).toEqualTypeOf<'executing' | 'offered' | TerminalQuoteStatus>();
    const named = ['executing', 'executed'] as const;
    expectTypeOf((await quotes.waitFor('a', 'q', { until: named })).status).toEqualTypeOf<
      'executing' | TerminalQuoteStatus
    >();
  });

  it('may be of any status, when a function says what ends the wait', async () => {
    const decided = await quotes.waitFor('a', 'q', {
      until: (quote) => {
        expectTypeOf(quote).toEqualTypeOf<sdk.Quote>();
        return quote.status !== 'offered';
      },
    });
    expectTypeOf(decided).toEqualTypeOf<sdk.Quote>();
    // With a function that has no parameter, too.
    expectTypeOf(quotes.waitFor('a', 'q', { until: () => true })).resolves.toEqualTypeOf<sdk.Quote>();
    expectTypeOf(quotes.waitFor('a', 'q', {} as sdk.WaitOptions<sdk.Quote>)).resolves.toEqualTypeOf<sdk.Quote>();
    expectTypeOf(
      quotes.waitFor('a', 'q', { until: {} as sdk.WaitOptions<sdk.Quote>['until'] & {} }),
    ).resolves.toEqualTypeOf<sdk.Quote>();
  });

  it('comes without until when that is undefined', () => {
    expectTypeOf(quotes.waitFor('a', 'q', { until: undefined })).resolves.toEqualTypeOf<sdk.TerminalQuote>();
    expectTypeOf(quotes.waitFor('a', 'q', undefined)).resolves.toEqualTypeOf<sdk.TerminalQuote>();
    expectTypeOf(quotes.waitFor('a', 'q', { timeout: 1 })).resolves.toEqualTypeOf<sdk.TerminalQuote>();
  });

  it('comes with its response', () => {
    expectTypeOf(quotes.waitFor('a', 'q')).toEqualTypeOf<sdk.ApiPromise<sdk.TerminalQuote>>();
    expectTypeOf(quotes.waitFor('a', 'q').withResponse())
      .resolves.toHaveProperty('data')
      .toEqualTypeOf<sdk.TerminalQuote>();
  });
});

describe('the user who was waited for', () => {
  it('is a user', () => {
    expectTypeOf(client.users.waitFor('u')).resolves.toEqualTypeOf<sdk.User>();
    expectTypeOf(client.users.waitFor('u', { until: ['ok'] })).resolves.toEqualTypeOf<sdk.User>();
    const until: sdk.WaitOptions<sdk.User>['until'] = (user) => user.status.required_actions.length > 0;
    expectTypeOf(client.users.waitFor('u', { until })).resolves.toEqualTypeOf<sdk.User>();
  });
});

describe('a status as until', () => {
  it('is one that is known', () => {
    expectTypeOf<sdk.KnownStatus<sdk.Quote>>().toEqualTypeOf<'offered' | 'executing' | TerminalQuoteStatus>();
    expectTypeOf<sdk.KnownStatus<sdk.User>>().toEqualTypeOf<'ok'>();
    expectTypeOf<sdk.KnownStatus<sdk.BankLink>>().toEqualTypeOf<'linked'>();
    expectTypeOf<sdk.KnownStatus<sdk.Verification>>().toEqualTypeOf<'pending' | 'completed' | 'failed'>();
    expectTypeOf<sdk.KnownStatus<sdk.FundsTransaction>>().toEqualTypeOf<
      'pending' | 'held' | 'success' | 'settled' | 'failure' | 'failed' | 'completed'
    >();
  });

  it('is no other', () => {
    // @ts-expect-error mistyped
    quotes.waitFor('a', 'q', { until: 'exectued' });
    // @ts-expect-error of an answer, which may have any status
    quotes.waitFor('a', 'q', { until: '' as sdk.QuoteStatus });
    // @ts-expect-error any text
    quotes.waitFor('a', 'q', { until: '' as string });
    // @ts-expect-error that of another operation
    client.accounts.priceTriggerSwaps.waitFor('a', 'i', { until: ['executed'] });
    // @ts-expect-error mistyped
    client.funds.bankLinks.waitFor('a', 'b', { until: 'linkd' });
    // @ts-expect-error mistyped
    client.users.verifications.waitFor('u', 'v', { until: 'complete' });
  });

  it('leaves answers open', () => {
    expectTypeOf<string>().toExtend<sdk.Quote['status']>();
    expectTypeOf<string>().toExtend<sdk.Verification['status']>();
    quotes.waitFor('a', 'q', { until: ({ status }) => status === 'in_review' });
  });
});

describe('an item of a list that was waited for', () => {
  const { verifications } = client.users;
  const { withdrawals } = client.funds;

  it('is a verification at its end', async () => {
    const end = await verifications.waitFor('u', 'v', {
      onPoll: (one) => expectTypeOf(one).toEqualTypeOf<sdk.Verification | undefined>(),
    });
    expectTypeOf(end.status).toEqualTypeOf<'completed' | 'failed'>();
    expectTypeOf(end.reasons).toEqualTypeOf<sdk.Verification['reasons']>();
    expectTypeOf(
      verifications.waitFor('u', 'v', {
        until: (one) => {
          expectTypeOf(one).toEqualTypeOf<sdk.Verification>();
          return true;
        },
      }),
    ).resolves.toEqualTypeOf<sdk.Verification>();
    const seen = await verifications.waitFor('u', 'v', { until: 'pending' });
    expectTypeOf(seen.status).toEqualTypeOf<'pending' | 'completed' | 'failed'>();
  });

  it('is an entry of the ledger, with known statuses as until', () => {
    const until = ['settled', 'failure'] as const;
    expectTypeOf(withdrawals.waitFor('a', 'r', { until })).resolves.toEqualTypeOf<sdk.FundsTransaction>();
    withdrawals.waitFor('a', 'r', { until: ({ status }) => status === 'sent' });
    withdrawals.waitFor('a', 'r');
    // @ts-expect-error: not known, so only a function may name it
    withdrawals.waitFor('a', 'r', { until: 'sent' });
  });
});

describe('options of a wait', () => {
  it('are those of a call, and its own', () => {
    quotes.waitFor('a', 'q', {
      until: undefined,
      timeout: undefined,
      signal: new AbortController().signal,
      attemptTimeout: 1,
      maxRetries: 0,
      otp: () => '1',
      headers: { a: undefined },
      onPoll: (quote, poll) => {
        expectTypeOf(quote).toEqualTypeOf<sdk.Quote>();
        expectTypeOf(poll).toEqualTypeOf<sdk.PollInfo>();
        expectTypeOf(poll.nextDelay).toEqualTypeOf<number | undefined>();
      },
    });
    client.users.waitFor('u', { onPoll: (user) => expectTypeOf(user).toEqualTypeOf<sdk.User>() });
  });

  it('are no others', () => {
    // @ts-expect-error no such option
    quotes.waitFor('a', 'q', { interval: 1 });
    // @ts-expect-error reading takes no key
    quotes.waitFor('a', 'q', { idempotencyKey: 'k' });
    // @ts-expect-error a promise is no answer to until
    quotes.waitFor('a', 'q', { until: async () => true });
    // @ts-expect-error a promise is no answer to until
    client.users.waitFor('u', { until: async () => true });
    // @ts-expect-error no status
    quotes.waitFor('a', 'q', { until: 5 });
    // @ts-expect-error how one wallet is read is not known
    client.accounts.wallets.waitFor;
  });
});
