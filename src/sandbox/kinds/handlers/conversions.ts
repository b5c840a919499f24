import {
  listOnDemandConversions,
  type OnDemandConversionListParams,
} from '../../../resources/accounts/on-demand-conversions.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../core/request/handler.js';
import { newestFirst } from '../../core/request/paging.js';

export const conversionHandlers: readonly Handler[] = [
  handle<AccountParams, OnDemandConversionListParams>(listOnDemandConversions, (state, { params, query }) => {
    const { id, conversions } = accountOf(state, params);
    const scope = [listOnDemandConversions.name, id];
    const items = [...conversions.values()].reverse();
    const page = state.pager.page({ scope, items, ...newestFirst }, query);
    return { ...page, data: page.data.map(({ conversion }) => conversion) };
  }),
];
