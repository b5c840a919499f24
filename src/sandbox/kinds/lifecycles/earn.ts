import * as z from 'zod/mini';
import type { Decimal } from '../../../schema/decimal.js';
import { DAY_MS } from '../../core/clock/clock.js';
import type { StepTask } from '../../core/clock/task.js';
import { post } from '../../core/door.js';
import { type Asset, assetKey } from '../../core/market/catalogue.js';
import { NOTHING, type Sum } from '../../core/money/ledger.js';
import { dividedDown, Money } from '../../core/money/money.js';
import type { RecordKind } from '../../core/records/records.js';
import { amountText } from '../../core/records/saved-values.js';
import type { AccountState, State } from '../../core/records/state.js';
import { STAKING } from '../seed/earn.js';
import { noteEntry } from '../shared/entries.js';

const STATUSES = ['enabled', 'disabled', 'pending_enabled', 'pending_disabled'] as const;

interface EarnRecord {
  readonly staking: (typeof STATUSES)[number];
  /** True while rewards are paid: also until a wanted end of it takes effect. */
  readonly earns: boolean;
}

/** The one record of an account has this id. */
const AUTO = 'auto';

export const earnSettings: RecordKind<EarnRecord> = {
  name: 'earnSettings',
  schema: () => z.object({ staking: z.enum(STATUSES), earns: z.boolean() }),
};

/** The rewards of each asset since the account began, by its key. */
export const earnRewards: RecordKind<{ readonly rewarded: string }> = {
  name: 'earnRewards',
  schema: () => z.object({ rewarded: amountText }),
};

/** A change of the settings takes effect after this long. */
const PENDING_MS = 60_000;

const SETTLE_STEP = 'earn.settle';
const REWARD_STEP = 'earn.reward';

export interface EarningAsset {
  readonly asset: Asset;
  /** In per cent. */
  readonly apy: string;
}

/** The assets that earn, in the order of their keys. */
export const earningAssets = ({ catalogue }: State): EarningAsset[] =>
  STAKING.map(([symbol, apy]) => ({ asset: catalogue.get(symbol, 'crypto'), apy }));

export const earnOf = ({ records }: AccountState): EarnRecord =>
  records.of(earnSettings).get(AUTO) ?? { staking: 'disabled', earns: false };

/** Returns what an asset has earned until now. */
export const rewardedOf = ({ records }: AccountState, asset: Asset): Decimal =>
  new Money(records.of(earnRewards).get(assetKey(asset))?.rewarded ?? 0);

/** Plans a change of the settings: it is pending for a minute. */
export function changeEarn(state: State, account: AccountState, wanted: 'enabled' | 'disabled'): void {
  const { staking, earns } = earnOf(account);
  if (staking === wanted || staking === `pending_${wanted}`) return;
  dropStep(state, account, SETTLE_STEP);
  account.records.of(earnSettings).set(AUTO, { staking: `pending_${wanted}`, earns });
  planStep(state, account, SETTLE_STEP, state.clock.now() + PENDING_MS);
}

/** The quantity of an asset that earns: all that no order holds. */
export const allocatedOf = (account: AccountState, asset: Asset): Decimal =>
  earnOf(account).earns ? account.holdings.available(asset) : NOTHING;

/** Returns the reward of a day, rounded down to the places of the asset. */
export const rewardOf = ({ asset, apy }: EarningAsset, allocated: Decimal): Decimal =>
  dividedDown(allocated.times(apy), new Money(100 * 365), asset.places);

/** Returns the next midnight, UTC: rewards are paid then. */
export const nextRewardAt = ({ clock }: State): number => (Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS;

/** `pending_enabled → enabled`, `pending_disabled → disabled`. */
function settle(state: State, account: AccountState): void {
  const { staking, earns } = earnOf(account);
  const willEarn = staking === 'pending_enabled';
  account.records.of(earnSettings).set(AUTO, { staking: willEarn ? 'enabled' : 'disabled', earns: willEarn });
  if (willEarn && !earns) planStep(state, account, REWARD_STEP, nextRewardAt(state));
  if (!willEarn) dropStep(state, account, REWARD_STEP);
}

/** Changes the settings at once. */
export function changeEarnNow(state: State, account: AccountState, wanted: 'enabled' | 'disabled'): void {
  changeEarn(state, account, wanted);
  dropStep(state, account, SETTLE_STEP);
  settle(state, account);
}

/** Credits the rewards of a day at midnight. */
function payRewards(state: State, account: AccountState): void {
  creditRewards(state, account);
  planStep(state, account, REWARD_STEP, nextRewardAt(state));
}

/** Credits the rewards of a day to the account. Returns what each asset has brought. */
export function creditRewards(state: State, account: AccountState): Sum[] {
  const credited: Sum[] = [];
  for (const earning of earningAssets(state)) {
    const { asset } = earning;
    const amount = rewardOf(earning, allocatedOf(account, asset));
    if (amount.isZero()) continue;
    const reference = state.random.uuid();
    post(state, { asset, amount }, state.books.outside, account.holdings, reference);
    const rewarded = rewardedOf(account, asset).plus(amount).toFixed();
    account.records.of(earnRewards).set(assetKey(asset), { rewarded });
    noteEntry(state, account, { type: 'earn_reward', reference, receive: { asset, total: amount } });
    credited.push({ asset, amount });
  }
  return credited;
}

const ofAccount =
  (run: (state: State, account: AccountState) => void) =>
  (state: State, step: StepTask): void => {
    const account = state.accounts.get(step.account ?? '');
    if (account !== undefined) run(state, account);
  };

export const EARN_STEPS = { [SETTLE_STEP]: ofAccount(settle), [REWARD_STEP]: ofAccount(payRewards) };

function planStep({ clock }: State, { id: account }: AccountState, step: string, at: number): void {
  clock.plan(at, { kind: 'step', step, id: AUTO, account });
}

function dropStep({ clock }: State, { id }: AccountState, step: string): void {
  clock.drop((task) => task.kind === 'step' && task.step === step && task.account === id);
}
