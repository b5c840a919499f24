import {
  listWithdrawalMethods,
  type WithdrawalMethod,
  type WithdrawalMethodListParams,
} from '../../../resources/funds/withdrawal-methods.js';
import type { Decimal } from '../../../schema/decimal.js';
import type { Wire } from '../../../schema/types.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../core/kind/handler.js';
import type { OwnChoices } from '../../core/kind/kind.js';
import { type Asset, assetKey } from '../../core/market/catalogue.js';
import { Money } from '../../core/money/money.js';
import type { State } from '../../core/records/state.js';
import { asListed } from '../../core/request/paging.js';
import { NETWORKS, networksOf } from '../shared/addresses/networks.js';
import { quantity } from '../shared/amounts.js';
import { withdrawalTerms } from './terms.js';

/** Duration in ms for which a `fee_token` holds the fee of a withdrawal. */
const FEE_HOLD_MS = 600_000;

export const withdrawalMethodHandlers: readonly Handler[] = [
  handle<AccountParams & { asset_symbol: string }, Wire<WithdrawalMethodListParams>>(
    listWithdrawalMethods,
    (state, { params, query }) => {
      const account = accountOf(state, params);
      const items = state.catalogue.withSymbol(params.asset_symbol).flatMap((asset) => methodsOf(state, asset));
      const scope = [listWithdrawalMethods.name, account.id, params.asset_symbol];
      return state.pager.page({ scope, ...asListed(items, (item) => String(items.indexOf(item))) }, query);
    },
  ),
];

export const withdrawalMethodChoices: OwnChoices = {
  [listWithdrawalMethods.name]:
    'Gives three methods for each asset, on its first network, with the fee and limits that `funds.withdrawals.create` takes. `fee`, `minimum` and `maximum` are an asset with its `amount`. Within 10 minutes, a withdrawal with the `fee_token` costs the `fee` beside it, whatever the price is by then.',
};

function methodsOf(state: State, asset: Asset): Wire<WithdrawalMethod>[] {
  const [network] = networksOf(asset);
  const { fee, minimum, maximum } = withdrawalTerms(asset);
  return Array.from(state.payoutMethods.keys(), (method_id) => ({
    method_id,
    network: network === undefined ? 'Bank transfer' : NETWORKS[network].name,
    fee: quantity(asset, fee),
    fee_token: feeToken(state, asset, fee),
    minimum: quantity(asset, minimum),
    maximum: quantity(asset, maximum),
  }));
}

function feeToken({ clock }: State, asset: Asset, fee: Decimal): string {
  return Buffer.from(`${assetKey(asset)} ${fee.toFixed()} ${clock.now() + FEE_HOLD_MS}`).toString('base64url');
}

/** Returns the fee that a token holds. Undefined after ten minutes, and for any other text. */
export function heldFee({ clock }: State, asset: Asset, token: string): Decimal | undefined {
  const [of, fee = '', until] = Buffer.from(token, 'base64url').toString().split(' ');
  return of === assetKey(asset) && Number(until) > clock.now() ? new Money(fee) : undefined;
}
