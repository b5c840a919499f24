import {
  listOnDemandConversions,
  type OnDemandConversionListParams,
} from '../../../resources/accounts/on-demand-conversions.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../core/request/handler.js';

/** A list of the newest first, by sequence: several records may have the same time. */
export const newestFirst = {
  position: ({ sequence }: { readonly sequence: number }): string => String(sequence),
  isAfter: ({ sequence }: { readonly sequence: number }, position: string): boolean => sequence < Number(position),
};

export const conversionHandlers: readonly Handler[] = [
  handle<AccountParams, OnDemandConversionListParams>(listOnDemandConversions, (state, { params, query }) => {
    const { id, conversions } = accountOf(state, params);
    const scope = [listOnDemandConversions.name, id];
    const items = [...conversions.values()].reverse();
    const page = state.pager.page({ scope, items, ...newestFirst }, query);
    return { ...page, data: page.data.map(({ conversion }) => conversion) };
  }),
];
