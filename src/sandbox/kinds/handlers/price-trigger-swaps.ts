import {
  cancelPriceTriggerSwap,
  createPriceTriggerSwap,
  getPriceTriggerSwap,
  listPriceTriggerSwaps,
  type PriceTriggerSwapCreateBody,
  type PriceTriggerSwapListParams,
} from '../../../resources/accounts/price-trigger-swaps.js';
import type { Wire } from '../../../schema/types.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../core/request/handler.js';
import { newestFirst } from '../../core/request/paging.js';
import { cancelSwap, findSwap, orderSwap, priceTriggerSwaps } from '../lifecycles/price-trigger-swaps.js';

interface SwapParams extends AccountParams {
  readonly id: string;
}

export const priceTriggerSwapHandlers: readonly Handler[] = [
  handle<AccountParams, unknown, Wire<PriceTriggerSwapCreateBody>>(
    createPriceTriggerSwap,
    (state, { params, body }) => ({
      data: { id: orderSwap(state, accountOf(state, params), body).id },
    }),
  ),
  handle<SwapParams>(getPriceTriggerSwap, (state, { params }) => ({
    data: findSwap(accountOf(state, params), params.id).swap,
  })),
  handle<AccountParams, PriceTriggerSwapListParams>(listPriceTriggerSwaps, (state, { params, query }) => {
    const { id, records } = accountOf(state, params);
    const { statuses = [] } = query;
    const all = [...records.of(priceTriggerSwaps).values()].reverse();
    const items = statuses.length === 0 ? all : all.filter(({ swap }) => statuses.includes(swap.status ?? ''));
    const page = state.pager.page({ scope: [listPriceTriggerSwaps.name, id, statuses], items, ...newestFirst }, query);
    return { ...page, data: page.data.map(({ swap }) => swap) };
  }),
  handle<SwapParams>(cancelPriceTriggerSwap, (state, { params }) =>
    cancelSwap(state, accountOf(state, params), params.id),
  ),
];
