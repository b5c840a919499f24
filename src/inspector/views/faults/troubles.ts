import type { Deed } from '../../parts/actions/deed.js';
import type { Present } from './present.js';

/** A trouble of production that one call shows, and one takes back. */
export interface Trouble {
  readonly title: string;
  /** The effect that the client or the receiver sees. */
  readonly text: string;
  show(present: Present): Deed;
  /**
   * The call that takes it back: before it is shown, to what is set now; while it is, to the
   * default. The id of a member that is not there is `ID`.
   */
  undo(present: Present): Deed;
  isShown(present: Present): boolean;
}

const call = (method: string, ...args: readonly unknown[]): Deed => ({ method, args });

type Shown = Pick<Trouble, 'show' | 'undo' | 'isShown'>;

function scenario(name: string, options?: object): Shown {
  return {
    show: () => call('scenarios/start', name, ...(options === undefined ? [] : [options])),
    undo: () => ({ collection: 'scenarios', id: name }),
    isShown: ({ scenarios }) => scenarios.some((one) => one.name === name && one.running),
  };
}

const ADDING = {
  faults: 'faults/add',
  outcomes: 'outcomes/add',
  'webhooks/faults': 'webhooks/faults/add',
  latency: 'latency/set',
} as const;

/**
 * A member of a collection. It is shown while the collection has one that was added with the same
 * options.
 */
function member(collection: keyof typeof ADDING, options: Readonly<Record<string, unknown>>): Shown {
  // The number of times that it will still happen is its own count.
  const wanted = Object.entries(options).filter(([name]) => name !== 'times');
  const isSame = (one: Readonly<Record<string, unknown>>): boolean =>
    one['scenario'] === undefined &&
    wanted.every(([name, value]) => JSON.stringify(one[name]) === JSON.stringify(value));
  const found = (present: Present) => present[collection].find((one) => isSame({ ...one }));
  return {
    show: () => call(ADDING[collection], options),
    undo: (present) => ({ collection, id: found(present)?.id ?? 'ID' }),
    isShown: (present) => found(present) !== undefined,
  };
}

interface Setting {
  readonly method: string;
  readonly of?: (present: Present) => unknown;
  readonly set: unknown;
  /** The default. */
  readonly back: unknown;
  readonly now: (present: Present) => unknown;
}

/** Something of a thing that is set. */
function setting({ method, of, set, back, now }: Setting): Shown {
  const isShown = (present: Present): boolean => JSON.stringify(now(present)) === JSON.stringify(set);
  const to = (present: Present, value: unknown): Deed =>
    call(method, ...(of === undefined ? [] : [of(present)]), value);
  return {
    show: (present) => to(present, set),
    undo: (present) => to(present, isShown(present) ? back : (now(present) ?? back)),
    isShown,
  };
}

/** The API key that the credentials name. */
const ofKey = ({ keys }: Present): string | undefined => keys[0]?.apiKey;

/** The webhook of the reader that was registered first. */
function ofWebhook(disabled: boolean): Trouble['show'] {
  return ({ webhooks }) => call('webhooks/update', ownOf(webhooks)?.id ?? 'ID', { disabled });
}

const dollars = (available: string) => ({ symbol: 'USD', available });

const isOfDollars = ({ from, to }: { from: string; to?: string | undefined }): boolean =>
  from === 'fiat:USD' && to === undefined;

const ownOf = (webhooks: Present['webhooks']) => webhooks.find(({ receives }) => receives);

const always = { times: 'always' } as const;
const DAY_MS = 86_400_000;

/** The longest step of an arrival and of a payment. */
const STUCK = { 'deposit.receive': DAY_MS, 'deposit.credit': DAY_MS, 'conversion.complete': DAY_MS } as const;

/** The troubles by what they touch. */
export const TROUBLES: readonly (readonly [group: string, troubles: readonly Trouble[]])[] = [
  [
    'The service refuses',
    [
      {
        title: 'Quota: 429',
        text: 'Above 5 requests in 10 s a key gets 429, with a Retry-After that is right.',
        ...scenario('rate_limited'),
      },
      {
        title: 'Maintenance',
        text: 'Ten minutes of 503 for every request, with Retry-After.',
        ...scenario('maintenance', { for: 600_000 }),
      },
      {
        title: 'Nightly settlement',
        text: 'Writes that trade or move money get 503, reads go on, settling waits.',
        ...scenario('nightly_settlement'),
      },
      {
        title: 'Amount out of limits',
        text: 'Quotes from more than 25 USD are refused: 400.',
        ...setting({
          ...{ method: 'assets/setTradeLimits', of: () => 'USD', set: { maximum: '25' }, back: {} },
          now(present) {
            const { from, ...limits } = present['assets/tradeLimits'].find(isOfDollars) ?? {};
            return limits;
          },
        }),
      },
      {
        title: 'Wrong one-time password',
        text: 'Only 314159 is taken; every other one gets 401.',
        ...setting({ method: 'otp/set', set: '314159', back: null, now: ({ otp }) => otp }),
      },
      {
        title: 'KYC asked for anew',
        text: 'Users have to verify their identity again; their accounts are closed: 403.',
        ...scenario('kyc_review', { enforce: true }),
      },
      {
        title: 'Blocked user',
        text: 'The user of the fixtures is blocked. With enforceUserStatus the accounts are closed: 403.',
        ...setting({
          ...{ method: 'users/setStatus', of: ({ fixtures }) => fixtures.userId },
          ...{ set: { state: 'blocked' }, back: { state: 'ok' } },
          now: ({ customer: { state } }) => ({ state }),
        }),
      },
    ],
  ],
  [
    'Keys',
    [
      {
        title: 'Revoked key',
        text: 'The key of the credentials gets 401 in the middle of a run.',
        ...scenario('revoked_key'),
      },
      {
        title: 'Rotated secret',
        text: 'The key of the credentials has a new secret: what the old one signs gets 401.',
        ...scenario('rotated_key'),
      },
      {
        title: 'Key with few rights',
        text: 'The key of the credentials may only read: writes get 403.',
        ...setting({
          ...{ method: 'keys/setScopes', of: ofKey, set: ['read'], back: null },
          now: ({ keys }) => keys[0]?.scopes,
        }),
      },
      {
        title: 'Nonce window',
        text: 'A nonce may come late while at most 64 higher ones were used. Without it, parallel calls race: 401.',
        ...setting({
          ...{ method: 'keys/setNonceWindow', of: ofKey, set: 64, back: 0 },
          now: ({ keys }) => keys[0]?.nonceWindow,
        }),
      },
    ],
  ],
  [
    'Prices and execution',
    [
      {
        title: 'Prices move',
        text: 'Each minute of the clock brings other prices: quotes must be asked for again.',
        ...setting({
          ...{ method: 'prices/setMoving', set: true, back: false },
          now: (present) => present['prices/moving'],
        }),
      },
      { title: 'Price drop', text: 'All prices fall by 20 per cent at once.', ...scenario('price_drop') },
      {
        title: 'Slow executor',
        text: 'Quotes, conversions, transfers and withdrawals are under way for minutes.',
        ...scenario('slow_execution'),
      },
      {
        title: 'The next quote fails',
        text: 'The executor rejects the next quote that is executed.',
        ...member('outcomes', { operation: 'accounts.quotes.execute', outcome: 'failed' }),
      },
      {
        title: 'The next quote expires',
        text: 'The next offer ends as soon as it is made: execute gets 410.',
        ...member('outcomes', { operation: 'accounts.quotes.create', outcome: 'expired' }),
      },
      {
        title: 'Insufficient funds',
        text: 'The account of the fixtures has no US dollars left to trade.',
        ...setting({
          ...{ method: 'accounts/setBalance', of: ({ fixtures }) => fixtures.accountId },
          ...{ set: dollars('0'), back: dollars('1000.00') },
          now: ({ customer: { usd } }) => dollars(/^[0.]*$/.test(usd) ? '0' : usd),
        }),
      },
      {
        title: 'Stuck money',
        text: 'Deposits and conversions that begin stay under way for a day. The end clears all times of steps.',
        show: () => call('executionTimes/set', STUCK),
        undo: () => call('executionTimes/clear'),
        isShown: ({ executionTimes }) => executionTimes['deposit.receive'] === DAY_MS,
      },
      {
        title: 'Wallet rejected',
        text: 'Screening rejects the next wallet, whatever its address is.',
        ...member('outcomes', { operation: 'accounts.wallets.whitelist', outcome: 'rejected' }),
      },
      {
        title: 'Reads lag behind writes',
        text: 'For 500 ms reads do not see a write: what was just made is 404.',
        ...scenario('stale_reads'),
      },
    ],
  ],
  [
    'Network',
    [
      {
        title: 'Flaky network',
        text: 'Connections of a third of the requests break, before or after the effect.',
        ...scenario('flaky_network'),
      },
      {
        title: 'Lost answer',
        text: 'The next write or read takes place, and its answer never comes.',
        ...member('faults', { fault: 'reset', when: 'after' }),
      },
      {
        title: 'Slow answers',
        text: 'Every answer comes half a second to two seconds late.',
        ...member('latency', { ms: [500, 2_000] }),
      },
      {
        title: 'A gateway answers',
        text: 'The next request gets the 502 page of a gateway, in HTML.',
        ...member('faults', { fault: 'html' }),
      },
    ],
  ],
  [
    'Webhooks',
    [
      {
        title: 'Webhooks late',
        text: 'Each comes a minute late.',
        ...member('webhooks/faults', { ...always, delay: 60_000 }),
      },
      { title: 'Webhooks twice', text: 'Each comes twice.', ...member('webhooks/faults', { ...always, duplicate: 1 }) },
      {
        title: 'Webhooks out of order',
        text: 'Each waits for a later one.',
        ...member('webhooks/faults', { ...always, reorder: true }),
      },
      {
        title: 'Webhooks lost',
        text: 'Nothing is sent, and the service believes that it was.',
        ...member('webhooks/faults', { ...always, drop: true }),
      },
      {
        title: 'Wrongly signed',
        text: 'The signature fits nothing: a receiver must refuse it.',
        ...member('webhooks/faults', { ...always, signature: 'wrong' }),
      },
      {
        title: 'Stale webhooks',
        text: 'The signed time is ten minutes ago: a receiver must refuse it.',
        ...member('webhooks/faults', { ...always, timestamp: 'stale' }),
      },
      {
        title: 'Lossy webhooks',
        text: 'A third is lost, late or doubled.',
        ...scenario('lossy_webhooks'),
      },
      {
        title: 'Endpoint disabled',
        text: 'Your first webhook gets nothing more, as after too many failures (webhooks.disableAfter).',
        show: ofWebhook(true),
        undo: ofWebhook(false),
        isShown: ({ webhooks }) => ownOf(webhooks)?.disabled === true,
      },
    ],
  ],
];
