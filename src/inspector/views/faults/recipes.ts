/** A call of a control method: the name of the method, then its arguments. */
export type RecipeCall = readonly [method: string, ...args: readonly unknown[]];

/** A production problem, as plain calls of control methods. */
export interface Recipe {
  readonly name: string;
  /** One sentence about what a client of the API sees. */
  readonly effect: string;
  /** The calls that start it, in order. */
  readonly calls: readonly RecipeCall[];
  /** The calls that undo it, in order. Absent: it cannot be undone. */
  readonly back?: readonly RecipeCall[];
}

/** Argument that stands for the API key of `sandbox.credentials`. */
export const API_KEY = '{credentials.apiKey}';

/** Argument that stands for the user of `sandbox.fixtures`. */
export const USER_ID = '{fixtures.userId}';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** A tenth of the requests or deliveries, without a limit of their number. */
const A_TENTH = { times: 'always', probability: 0.1 };

/** 503 with the rest of its time as `Retry-After`. */
const UNTIL_THE_END = { fault: 503, retryAfterSeconds: 'left' };

/** The writes that fail while the service settles. */
const MONEY_WRITES = [
  'accounts.quotes.execute',
  'accounts.conversions.create',
  'accounts.transfers.create',
  'funds.withdrawals.create',
];

/** All recipes. The documents and the page show this table. */
export const RECIPES: readonly Recipe[] = [
  {
    name: 'outage',
    effect: 'The service answers every request with 503, without `Retry-After`.',
    calls: [['troubles.add', { does: 503, times: 'always' }]],
    back: [['troubles.clear']],
  },
  {
    name: 'maintenance',
    effect: 'For ten minutes, the service answers every request with 503, and `Retry-After` is the time that remains.',
    calls: [['troubles.add', { does: UNTIL_THE_END, forMs: 10 * MINUTE_MS }]],
    back: [['troubles.clear']],
  },
  {
    name: 'rate limited',
    effect: 'An API key that sends more than 5 requests in 10 seconds gets 429 with an exact `Retry-After`.',
    calls: [['settings.update', { quota: { requests: 5, perMs: 10_000 } }]],
    back: [['settings.update', { quota: null }]],
  },
  {
    name: 'flaky network',
    effect: 'A third of the requests fail: a reset before or after the effect, no response, or half a response.',
    calls: [
      ['troubles.add', { does: 'reset', when: 'before', ...A_TENTH }],
      ['troubles.add', { does: 'timeout', when: 'before', ...A_TENTH }],
      ['troubles.add', { does: 'reset', when: 'after', ...A_TENTH }],
      ['troubles.add', { does: 'truncate', when: 'after', ...A_TENTH }],
    ],
    back: [['troubles.clear']],
  },
  {
    name: 'slow execution',
    effect: 'New quotes, conversions, transfers and withdrawals wait five minutes before they proceed.',
    calls: [
      [
        'settings.update',
        {
          executionTimes: {
            'quote.finish': 5 * MINUTE_MS,
            'onchain_quote.finish': 5 * MINUTE_MS,
            'conversion.pay_in': 5 * MINUTE_MS,
            'transfer.process': 5 * MINUTE_MS,
            'withdrawal.finish': 5 * MINUTE_MS,
          },
        },
      ],
    ],
    back: [['settings.update', { executionTimes: null }]],
  },
  {
    name: 'nightly settlement',
    effect: 'For an hour, writes that move money get 503 with `Retry-After`, and settlements take an hour.',
    calls: [
      ...MONEY_WRITES.map(
        (operation): RecipeCall => ['troubles.add', { match: { operation }, does: UNTIL_THE_END, forMs: HOUR_MS }],
      ),
      [
        'settings.update',
        {
          executionTimes: {
            'conversion.pay_out': HOUR_MS,
            'transfer.finish': HOUR_MS,
            'deposit.credit': HOUR_MS,
            'expected_deposit.credit': HOUR_MS,
          },
        },
      ],
    ],
    back: [['troubles.clear'], ['settings.update', { executionTimes: null }]],
  },
  {
    name: 'price drop',
    effect: 'BTC and ETH fall by a fifth of their initial prices, and quotes, portfolio and profit change immediately.',
    calls: [
      ['prices.set', 'BTC', '53945.68'],
      ['prices.set', 'ETH', '2817.152'],
    ],
    back: [
      ['prices.set', 'BTC', '67432.10'],
      ['prices.set', 'ETH', '3521.44'],
    ],
  },
  {
    name: 'KYC review',
    effect: 'A user must verify their identity again; with `enforceUserStatus`, their accounts get 403.',
    calls: [
      [
        'users.setStatus',
        USER_ID,
        {
          state: 'pending',
          required_actions: [{ type: 'submit_verification', verification: 'proof_of_identity' }],
        },
      ],
    ],
    back: [['users.setStatus', USER_ID, { state: 'ok', required_actions: [] }]],
  },
  {
    name: 'revoked key',
    effect: 'Every request with the API key gets 401.',
    calls: [['keys.revoke', API_KEY]],
    back: [['keys.reinstate', API_KEY]],
  },
  {
    name: 'rotated key',
    effect: 'The API key has a new secret, and requests that are signed with the old one get 401.',
    calls: [['keys.rotateSecret', API_KEY]],
  },
  {
    name: 'lossy webhooks',
    effect: 'A tenth of the deliveries are lost, a tenth arrive a minute late, and a tenth arrive twice.',
    calls: [
      ['troubles.add', { does: { delivery: { drop: true } }, ...A_TENTH }],
      ['troubles.add', { does: { delivery: { delayMs: MINUTE_MS } }, ...A_TENTH }],
      ['troubles.add', { does: { delivery: { duplicate: 1 } }, ...A_TENTH }],
    ],
    back: [['troubles.clear']],
  },
];
