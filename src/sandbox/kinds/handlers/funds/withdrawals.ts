import {
  type FundsTransaction,
  type FundsTransactionListParams,
  listFundsTransactions,
} from '../../../../resources/funds/transactions.js';
import { createWithdrawal, type WithdrawalCreateBody } from '../../../../resources/funds/withdrawals.js';
import type { Wire } from '../../../../schema/types.js';
import { timestamp } from '../../../core/clock/clock.js';
import { assetRef } from '../../../core/market/catalogue.js';
import type { State } from '../../../core/records/state.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../../core/request/handler.js';
import { newestFirst } from '../../../core/request/paging.js';
import { type Funding, fundings } from '../../lifecycles/funds/records.js';
import { withdraw } from '../../lifecycles/funds/withdrawals.js';

const LEDGER_SIZE = 25;

export const withdrawalHandlers: readonly Handler[] = [
  handle<AccountParams, unknown, Wire<WithdrawalCreateBody>>(createWithdrawal, (state, { params, body }) => ({
    data: withdraw(state, accountOf(state, params), body),
  })),
  handle<unknown, FundsTransactionListParams>(listFundsTransactions, (state, { query }) => {
    const { type, page_size = LEDGER_SIZE, cursor } = query;
    const items = [...state.accounts.values()]
      .flatMap(({ records }) => [...records.of(fundings).values()].filter((funding) => funding.type === type))
      .sort((a, b) => b.sequence - a.sequence);
    const listing = { scope: [listFundsTransactions.name, type], items, ...newestFirst, cursor: 'cursor' };
    const page = state.pager.page(listing, { page_size, page_token: cursor });
    return { ...page, data: page.data.map((funding) => shown(state, funding)) };
  }),
];

function shown({ catalogue }: State, funding: Funding): Wire<FundsTransaction> {
  const { type, at, symbol, asset_type, amount, status, ref_id } = funding;
  const asset = assetRef(catalogue.get(symbol, asset_type));
  return { type, timestamp: timestamp(at), asset, amount, status, ref_id };
}
