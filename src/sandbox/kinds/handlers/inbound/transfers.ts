import {
  createTransfer,
  listTransfers,
  type TransferCreateBody,
  type TransferListParams,
} from '../../../../resources/accounts/transfers.js';
import { cancelTransfer, getTransfer } from '../../../../resources/transfers.js';
import type { Wire } from '../../../../schema/types.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../../core/request/handler.js';
import { cancel, foundTransfer, createTransfer as send, transfers } from '../../lifecycles/transfers.js';
import { newestFirst } from '../conversions.js';

interface TransferParams {
  readonly transfer_id: string;
}

export const transferHandlers: readonly Handler[] = [
  handle<AccountParams, unknown, Wire<TransferCreateBody>>(createTransfer, (state, { params, body }) => ({
    data: send(state, accountOf(state, params), body),
  })),
  handle<AccountParams, TransferListParams>(listTransfers, (state, { params, query }) => {
    const { id, records } = accountOf(state, params);
    const items = [...records.of(transfers).values()].reverse();
    const page = state.pager.page({ scope: [listTransfers.name, id], items, ...newestFirst }, query);
    return { ...page, data: page.data.map(({ transfer }) => transfer) };
  }),
  handle<TransferParams>(getTransfer, (state, { params }) => {
    const { account, record } = foundTransfer(state, params.transfer_id, getTransfer);
    accountOf(state, { account_id: account.id });
    return { data: record.transfer };
  }),
  handle<TransferParams>(cancelTransfer, (state, { params }) => {
    const found = foundTransfer(state, params.transfer_id, cancelTransfer);
    accountOf(state, { account_id: found.account.id });
    return { data: cancel(state, found) };
  }),
];
