import type { Withdrawal, WithdrawalCreateBody } from '../../../../resources/funds/withdrawals.js';
import type { Decimal } from '../../../../schema/decimal.js';
import type { Wire } from '../../../../schema/types.js';
import type { StepTask } from '../../../core/clock/task.js';
import { type Asset, assetKey } from '../../../core/market/catalogue.js';
import { Money, written } from '../../../core/money/money.js';
import type { AccountState, SavedAddress, State } from '../../../core/records/state.js';
import { badRequest, Refusal } from '../../../core/request/refusal.js';
import { type Funding, nextSequence, planStep } from './records.js';
import { announce, keepFunding, moveOn, moveToEnd } from './settle.js';
import { withdrawalTerms } from './terms.js';

/** Time until a withdrawal is sent, and from there until it has arrived or failed. */
const SENDING_MS = 5_000;
const ARRIVING_MS = 60_000;

interface Order {
  readonly asset: Asset;
  readonly amount: Decimal;
  readonly fee: Decimal;
  readonly saved: SavedAddress;
}

/** Holds amount and fee for a withdrawal, and plans its way. A preview changes nothing. */
export function withdraw(state: State, account: AccountState, body: Wire<WithdrawalCreateBody>): Wire<Withdrawal> {
  const { asset, amount, fee, saved } = checkedOrder(state, account, body);
  const total = amount.plus(fee);
  if (account.holdings.available(asset).lt(total)) {
    throw badRequest({ field: 'amount', message: 'and its fee are more than what is available' });
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
  const funding: Funding = {
    ...{ ref_id: answer.ref_id, type: 'withdrawal', sequence: nextSequence(state), at: state.clock.now() },
    ...{ symbol: asset.symbol, asset_type: asset.type, amount: answer.amount, fee: answer.fee },
    ...{ status: 'pending', fails: false, address: saved.address, key: body.key },
  };
  keepFunding(state, account, funding);
  announce(state, account, funding, 'withdrawal.status_updated');
  planStep(state, account, funding, 'withdrawal.send', SENDING_MS);
  return answer;
}

/** `pending → sent`. */
export function sendWithdrawal(state: State, step: StepTask): void {
  moveOn(state, step, { from: 'pending', to: 'sent', next: 'withdrawal.finish', ms: ARRIVING_MS });
}

/** `sent → completed | failed`. */
export function finishWithdrawal(state: State, step: StepTask): void {
  moveToEnd(state, step, 'sent');
}

function checkedOrder(state: State, account: AccountState, body: Wire<WithdrawalCreateBody>): Order {
  const asset = state.catalogue.named(body.asset_symbol, body.asset_type ?? 'crypto', 'asset_symbol');
  if (!asset.listing.status.withdraw.enabled) {
    throw badRequest({ field: 'asset_symbol', message: `${asset.symbol} cannot be withdrawn at present` });
  }
  const saved = account.withdrawalAddresses.get(body.key);
  if (saved === undefined) throw new Refusal(404, 'not_found', [{ field: 'key', message: 'does not exist' }]);
  if (saved.asset !== assetKey(asset)) {
    throw badRequest({ field: 'key', message: `is an address for ${saved.asset}` });
  }
  const amount = new Money(body.amount);
  const { fee, minimum, maximum } = withdrawalTerms(asset);
  if (amount.lt(minimum) || amount.gt(maximum)) {
    const message = `must be from ${minimum.toFixed()} to ${maximum.toFixed()} ${asset.symbol}`;
    throw badRequest({ field: 'amount', message });
  }
  return { asset, amount, fee, saved };
}
