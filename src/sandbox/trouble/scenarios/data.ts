import type { User } from '../../../resources/users/users.js';
import type { Decimal } from '../../../schema/decimal.js';
import { BOOLEAN, rule } from '../../../util/options.js';
import type { ApiKey } from '../../core/keys/api-keys.js';
import type { Asset } from '../../core/market/catalogue.js';
import { Money } from '../../core/money/money.js';
import type { State, UserState } from '../../core/records/state.js';
import { SUBMIT_IDENTITY } from '../../kinds/lifecycles/users.js';
import { makeReached } from '../../kinds/price-trigger-swaps.js';
import { copied, DEFAULT_SHARE, SHARE } from './requests.js';
import { METHOD, type ScenarioKind, type ScenarioOptions, type Stage } from './scenario.js';

const TEXTS = rule(
  (value) => Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'),
  'must be a list of texts, at least one',
  copied,
);

/** Digits of a price that is put back while prices move. */
const PRICE_DIGITS = 8;

/** Assets whose prices do not fall by themselves. */
const STABLE_TYPES: readonly string[] = ['fiat', 'stablecoin'];

export const priceDrop: ScenarioKind = {
  summary:
    'Prices fall by a percentage, which quotes, portfolio and profit show at once; the end puts them back, but for those that were set meanwhile.',
  options: {
    percent: {
      rule: rule((value) => typeof value === 'number' && value > 0 && value < 100, 'must be above 0, below 100'),
      text: 'Per cent by which they fall; by default 20.',
    },
    symbols: { rule: TEXTS, text: 'Tickers; by default all but fiat money and stablecoins.' },
  },
  start({ state }, { percent = 20, symbols }) {
    const share = new Money(100).minus(percent).times('0.01');
    const fallen = assetsOf(state, symbols).map((asset) => drop(state, asset, share));
    makeReached(state);
    return () => {
      for (const one of fallen) putBack(state, one);
      makeReached(state);
    };
  },
};

/** The price of an asset before and after it fell. */
interface Fallen {
  readonly asset: Asset;
  readonly before: Decimal;
  readonly after: Decimal;
  /** Moment of the price mark: a second look at a running clock may be a millisecond later. */
  readonly at: number | undefined;
}

function drop({ catalogue }: State, asset: Asset, share: Decimal): Fallen {
  const before = asset.usd;
  const after = before.times(share);
  catalogue.setPrice(asset, after);
  return { asset, before, after, at: asset.price.marks().at(-1)?.at };
}

/** Prices that move have gone on from where they fell to. */
function putBack({ catalogue }: State, { asset, before, after, at }: Fallen): void {
  const mark = asset.price.marks().at(-1);
  if (mark === undefined || mark.at !== at || !mark.usd.eq(after)) return;
  const isStill = asset.usd.eq(after);
  const restored = isStill ? before : asset.usd.times(before).div(after).toSignificantDigits(PRICE_DIGITS);
  catalogue.setPrice(asset, restored);
}

function assetsOf({ catalogue }: State, symbols: readonly string[] | undefined): readonly Asset[] {
  if (symbols === undefined) return catalogue.assets.filter(({ type }) => !STABLE_TYPES.includes(type));
  const found = symbols.flatMap((symbol) => {
    const named = catalogue.assets.filter((asset) => asset.symbol === symbol && asset.type !== 'fiat');
    if (named.length === 0) throw new TypeError(`${METHOD}: there is no asset ${symbol} whose price can fall`);
    return named;
  });
  return [...new Set(found)];
}

/** The state of a user under review. */
const UNDER_REVIEW = 'pending';

export const kycReview: ScenarioKind = {
  summary:
    'Users have to verify their identity anew, and their accounts are closed (403) if the sandbox enforces that; the end puts their status back, but for those who are not pending any more.',
  options: {
    users: { rule: TEXTS, text: 'Ids of users; by default all whose state is `ok`.' },
    enforce: { rule: BOOLEAN, text: '`true` closes their accounts; by default as `createSandbox` says.' },
  },
  start({ state }, { users, enforce = state.enforceUserStatus }) {
    const reviewed = usersOf(state, users).map(({ user }) => ({ id: user.id, before: { ...user.status } }));
    for (const { id } of reviewed) setStatus(state, id, { state: UNDER_REVIEW, required_actions: [SUBMIT_IDENTITY] });
    const wasEnforced = state.enforceUserStatus;
    state.enforceUserStatus = enforce;
    return () => {
      state.enforceUserStatus = wasEnforced;
      for (const { id, before } of reviewed) {
        if (state.users.get(id)?.user.status.state === UNDER_REVIEW) setStatus(state, id, before);
      }
    };
  },
};

function usersOf({ users }: State, ids: readonly string[] | undefined): readonly UserState[] {
  if (ids === undefined) return [...users.values()].filter(({ user }) => user.status.state === 'ok');
  return ids.map((id) => {
    const found = users.get(id);
    if (found === undefined) throw new Error(`${METHOD}: there is no user ${id}`);
    return found;
  });
}

function setStatus({ users }: State, id: string, status: User['status']): void {
  const found = users.get(id);
  if (found !== undefined) Object.assign(found.user.status, status);
}

const OF_KEY: ScenarioKind['options'] = {
  apiKey: {
    rule: rule((value) => typeof value === 'string', 'must be text'),
    text: 'The API key; by default that of `credentials`.',
  },
};

function keyOf({ keys }: Stage, { apiKey = keys.list()[0]?.apiKey ?? '' }: ScenarioOptions): ApiKey {
  const key = keys.find(apiKey);
  if (key === undefined) throw new Error(`${METHOD}: there is no API key ${apiKey}`);
  return key;
}

export const revokedKey: ScenarioKind = {
  summary:
    'An API key is revoked in the middle of a run: every request with it is answered 401; the end gives it back.',
  options: OF_KEY,
  start(stage, options) {
    const key = keyOf(stage, options);
    const { apiKey } = key;
    if (key.revoked) throw new Error(`${METHOD}: the API key ${apiKey} is revoked already`);
    key.revoked = true;
    return () => {
      const found = stage.keys.find(apiKey);
      if (found !== undefined) found.revoked = false;
    };
  },
};

export const rotatedKey: ScenarioKind = {
  summary:
    'An API key gets a new secret in the middle of a run: what the old one signs is answered 401; the end puts the old one back.',
  options: OF_KEY,
  start(stage, options) {
    const key = keyOf(stage, options);
    const before = key.secret;
    const { apiKey, apiSecret } = stage.keys.rotateSecret(key);
    return () => {
      const found = stage.keys.find(apiKey);
      // A secret that was set meanwhile stays.
      if (found?.secretText === apiSecret) stage.keys.rotateSecret(found, before);
    };
  },
};

/** Time by which a delivery is late, in ms of the clock. */
const LATE_MS = 60_000;

export const lossyWebhooks: ScenarioKind = {
  summary:
    'A share of the webhook deliveries is lost, comes a minute late or comes twice, each as likely as the others; what was lost stays lost.',
  options: { share: SHARE },
  start({ webhookFaults: faults }, { share = DEFAULT_SHARE }) {
    const third = share / 3;
    // Each is tried only if those before it have not struck.
    const ids = [
      faults.add(METHOD, { drop: true, times: 'always', probability: third }),
      faults.add(METHOD, { delay: LATE_MS, times: 'always', probability: third / (1 - third) }),
      faults.add(METHOD, { duplicate: 1, times: 'always', probability: Math.min(1, third / (1 - 2 * third)) }),
    ].map(({ id }) => id);
    return () => {
      for (const id of ids) faults.remove(id);
    };
  },
};
