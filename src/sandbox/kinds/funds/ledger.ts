import {
  type FundsTransaction,
  type FundsTransactionListParams,
  listFundsTransactions,
} from '../../../resources/funds/transactions.js';
import type { Wire } from '../../../schema/types.js';
import { timestamp } from '../../core/clock/clock.js';
import { all } from '../../core/kind/find.js';
import { type Handler, handle } from '../../core/kind/handler.js';
import type { Area } from '../../core/kind/kind.js';
import { assetRef } from '../../core/market/catalogue.js';
import type { State } from '../../core/records/state.js';
import { newestFirst } from '../../core/request/paging.js';
import { deposits } from './deposits.js';
import type { Funding } from './fundings.js';
import { withdrawals } from './withdrawals.js';

/** Number of entries per page. */
const LEDGER_SIZE = 25;

const operations: readonly Handler[] = [
  handle<unknown, FundsTransactionListParams>(listFundsTransactions, (state, { query }) => {
    const { type, page_size = LEDGER_SIZE, cursor } = query;
    const items = linesOf(state, type).sort((a, b) => b.sequence - a.sequence);
    const listing = { scope: [listFundsTransactions.name, type], items, ...newestFirst, cursor: 'cursor' };
    const page = state.pager.page(listing, { page_size, page_token: cursor });
    return { ...page, data: page.data.map((line) => ({ type, ...shown(state, line) })) };
  }),
];

/** The ledger of deposits and withdrawals. */
export const ledger: Area = {
  name: 'ledger',
  operations,
  choices: {
    [listFundsTransactions.name]:
      'Shows deposits as `pending`, `received` or `credited`, and withdrawals as `pending`, `success`, `failure` or, after `withdrawals.hold`, `held`. `amount` is what came in from outside or went out, without fees.',
  },
};

function linesOf(state: State, type: string | undefined): Funding[] {
  if (type === 'deposit') return all(state, deposits).map(({ record }) => record);
  return type === 'withdrawal' ? all(state, withdrawals).map(({ record }) => record) : [];
}

function shown({ catalogue }: State, line: Funding): Omit<Wire<FundsTransaction>, 'type'> {
  const { at, symbol, asset_type, amount, status, ref_id } = line;
  const asset = assetRef(catalogue.get(symbol, asset_type));
  return { timestamp: timestamp(at), asset, amount, status, ref_id };
}
