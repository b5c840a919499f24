import * as z from 'zod/mini';
import { createWithdrawal, type Withdrawal, type WithdrawalCreateBody } from '../../../resources/funds/withdrawals.js';
import type { Wire } from '../../../schema/types.js';
import { timestamp } from '../../core/clock/clock.js';
import { recordsOf } from '../../core/kind/find.js';
import type { Found, Kind, Moves, SampleSource } from '../../core/kind/kind.js';
import { assetKey, type WireAssetRef } from '../../core/market/catalogue.js';
import { NOTHING } from '../../core/money/ledger.js';
import { Money, written } from '../../core/money/money.js';
import { dropStep, scheduleStep, willFail } from '../../core/moves.js';
import { move, post, put } from '../../core/mutations.js';
import { failsLater, outcomesOf, slow } from '../../core/outcomes.js';
import { handleCreation } from '../../core/reading.js';
import type { AccountState, State } from '../../core/records/state.js';
import { badRequest, Refusal } from '../../core/request/refusal.js';
import { noteEntry } from '../shared/entries.js';
import {
  announce,
  type Funding,
  fundingMembers,
  isOfSandbox,
  madeUp,
  moneyOf,
  nextSequence,
  shownMoney,
} from './fundings.js';
import { withdrawalTerms } from './terms.js';
import { heldFee, withdrawalAddresses } from './withdrawal-addresses.js';

/** Time in ms until a withdrawal has arrived or failed. */
export const ARRIVING_MS = 65_000;

const STATUSES = ['pending', 'held', 'success', 'failure'] as const;

interface WithdrawalRecord extends Funding {
  readonly status: (typeof STATUSES)[number];
  /** True if it will fail. */
  readonly fails: boolean;
  readonly address?: string | undefined;
  /** Name of its destination when it was created. */
  readonly key?: string | undefined;
}

/** A withdrawal as events show it. */
export interface SandboxWithdrawal {
  readonly ref_id: string;
  readonly account: string;
  readonly status: string;
  /** Name of its destination. */
  readonly key?: string;
  /** The amount that the destination receives. */
  readonly asset: WireAssetRef & { readonly amount: string };
  readonly fee: string;
  /** The amount that the account pays, fee included. */
  readonly total: string;
  readonly created_at: string;
}

/** `sandbox.withdrawals`: moves withdrawals to their next state. Each is named by its `ref_id`. */
export interface SandboxWithdrawals {
  /** Puts a pending withdrawal on hold: `held`. It still finishes at the scheduled time. */
  hold(refId: string): SandboxWithdrawal;
  /** Finishes an open withdrawal now: `success`, or `failure` after `fail`. */
  complete(refId: string): SandboxWithdrawal;
  /**
   * Makes an open withdrawal end in `failure` when it would be `success`. Its amount and fee become
   * available again then.
   */
  fail(refId: string): void;
}

/** Money that an account sends outside, by `ref_id`, oldest first. */
export const withdrawals: Kind<WithdrawalRecord> = {
  name: 'withdrawals',
  noun: 'withdrawal',
  owner: 'account',
  scope: 'funds',
  schema: () =>
    z
      .object({
        ...fundingMembers,
        status: z.enum(STATUSES),
        fails: z.boolean(),
        address: z.optional(z.string()),
        key: z.optional(z.string()),
      })
      .check(isOfSandbox()),
  holds: ({ status, symbol, asset_type: type, amount, fee }) =>
    isUnderWay(status) ? [amount, fee].map((part) => ({ symbol, type, amount: part })) : [],
  shown: ({ ref_id, ...withdrawal }) => ({ ref_id, type: 'withdrawal', ...withdrawal }),
  returned: (withdrawal, state, account) => shownWithdrawal(state, account, withdrawal),
  stateOf: ({ status }) => status,
  inState: (withdrawal, status) => ({ ...withdrawal, status: status as WithdrawalRecord['status'] }),
  initial: ['pending'],
  steps: {
    'withdrawal.finish': {
      from: ['pending', 'held'],
      to: 'success',
      after: { fail: 'failure' },
      effect: (id) => `Withdrawal ${id} succeeds, or fails.`,
      run: finish,
    },
  },
  idName: 'refId',
  moves: {
    hold: { from: ['pending'], to: 'held', run: putOnHold },
    complete: { from: ['pending', 'held'], steps: ['withdrawal.finish'] },
    fail: { from: ['pending', 'held'], run: (state, found) => willFail(state, withdrawals, found) },
  } satisfies Moves<keyof SandboxWithdrawals, WithdrawalRecord>,
  operations: [handleCreation<Wire<WithdrawalCreateBody>>(createWithdrawal, withdraw)],
  outcomes: [
    outcomesOf(createWithdrawal, 'ref_id', {
      failed: failsLater('The withdrawal fails when it would succeed.', () => withdrawals),
      slow: slow('The withdrawal succeeds', 'withdrawal.finish'),
    }),
  ],
  choices: {
    [createWithdrawal.name]: [
      'Answers 404 if `key` is unknown, and 400 if `key` belongs to another asset or the amount is more than is available. One withdrawal can be 1 to 1,000,000 US dollars.',
      'Responds to a `preview` as to a withdrawal, but nothing exists under its `ref_id`. The response repeats `fee_token`, and the fee is charged in the asset.',
    ],
  },
  events: {
    'withdrawal.status_updated': (source) => sample(source, 'held'),
    'withdrawal.completed': (source) => sample(source, 'success'),
    'withdrawal.failed': (source) => sample(source, 'failure'),
  },
};

/** Holds amount and fee for a withdrawal, and schedules its steps. A preview changes nothing. */
function withdraw(state: State, account: AccountState, body: Wire<WithdrawalCreateBody>): Wire<Withdrawal> {
  const { asset, amount, fee, address } = checkedOrder(state, account, body);
  const total = amount.plus(fee);
  const available = account.holdings.available(asset);
  if (available.lt(total)) {
    const message = `and its fee need ${total.toFixed()} ${asset.symbol}, and only ${available.toFixed()} is available`;
    throw badRequest({ field: 'amount', message });
  }
  const answer = {
    ref_id: state.random.uuid(),
    amount: body.amount,
    fee: written(fee, asset.places),
    total: written(total, asset.places),
    fee_token: body.fee_token ?? null,
  };
  if (body.preview === true) return answer;
  account.holdings.hold({ asset, amount: total });
  const record: WithdrawalRecord = {
    ref_id: answer.ref_id,
    sequence: nextSequence(state),
    at: state.clock.now(),
    symbol: asset.symbol,
    asset_type: asset.type,
    amount: answer.amount,
    fee: answer.fee,
    status: 'pending',
    fails: false,
    address,
    key: body.key,
  };
  const found = { account, id: record.ref_id, record };
  for (const dropped of put(state, withdrawals, found)) endDropped(state, account, dropped);
  announce(state, shownWithdrawal(state, account, record), 'withdrawal.status_updated');
  scheduleStep(state, 'withdrawal.finish', found, ARRIVING_MS);
  return answer;
}

function checkedOrder(state: State, account: AccountState, body: Wire<WithdrawalCreateBody>) {
  const asset = state.catalogue.named(body.asset_symbol, body.asset_type ?? 'crypto', 'asset_symbol');
  if (!asset.listing.status.withdraw.enabled) {
    throw badRequest({ field: 'asset_symbol', message: `${asset.symbol} cannot be withdrawn at present` });
  }
  const saved = recordsOf(state, withdrawalAddresses, account).get(body.key);
  if (saved === undefined) throw new Refusal(404, 'not_found', [{ field: 'key', message: 'does not exist' }]);
  if (saved.asset !== assetKey(asset)) {
    throw badRequest({ field: 'key', message: `is an address for ${saved.asset}` });
  }
  const amount = new Money(body.amount);
  const { fee: present, minimum, maximum } = withdrawalTerms(asset);
  const fee = heldFee(state, asset, body.fee_token ?? '') ?? present;
  if (amount.lt(minimum) || amount.gt(maximum)) {
    const message = `must be from ${minimum.toFixed()} to ${maximum.toFixed()} ${asset.symbol}`;
    throw badRequest({ field: 'amount', message });
  }
  return { asset, amount, fee, address: saved.address };
}

const isUnderWay = (status: string): boolean => status === 'pending' || status === 'held';

function putOnHold(state: State, found: Found<WithdrawalRecord>): SandboxWithdrawal {
  const shown = shownWithdrawal(state, found.account, move(state, withdrawals, found, 'held'));
  announce(state, shown, 'withdrawal.status_updated');
  return shown;
}

/** `pending | held → success | failure`. The account pays for the withdrawal, unless it fails. */
function finish(state: State, found: Found<WithdrawalRecord>): void {
  const { account, id: reference } = found;
  const { fails } = found.record;
  const { asset, amount, fee } = moneyOf(state, found.record);
  const total = amount.plus(fee);
  account.holdings.release({ asset, amount: total });
  const record = move(state, withdrawals, found, fails ? 'failure' : 'success');
  if (!fails) {
    const { outside, fees } = state.books;
    post(state, { asset, amount }, account.holdings, outside, reference);
    post(state, { asset, amount: fee, valueUsd: NOTHING }, account.holdings, fees, reference);
    noteEntry(state, account, { type: 'withdrawal', reference, spend: { asset, total, fee } });
  }
  const end = fails ? 'withdrawal.failed' : 'withdrawal.completed';
  announce(state, shownWithdrawal(state, account, record), 'withdrawal.status_updated', end);
}

/** Ends a withdrawal that was dropped because of the limit while it was open. */
function endDropped(state: State, account: AccountState, record: WithdrawalRecord): void {
  if (!isUnderWay(record.status)) return;
  dropStep(state, 'withdrawal.finish', record.ref_id);
  finish(state, { account, id: record.ref_id, record });
}

function shownWithdrawal(state: State, { id }: AccountState, withdrawal: WithdrawalRecord): SandboxWithdrawal {
  const { ref_id, amount, fee, status, key, at } = withdrawal;
  return {
    ref_id,
    account: id,
    status,
    ...(key === undefined ? {} : { key }),
    ...shownMoney(state, withdrawal),
    total: new Money(amount).plus(fee).toFixed(),
    created_at: timestamp(at),
  };
}

function sample({ state, account, random, now }: SampleSource, status: WithdrawalRecord['status']): object {
  const key = [...recordsOf(state, withdrawalAddresses, account).values()].at(-1)?.key;
  const made = madeUp(state.catalogue.get('BTC', 'crypto'), random.uuid(), state.clock.now(), status);
  return { ...shownWithdrawal(state, account, { ...made, fails: status === 'failure', key }), updated_at: now };
}
