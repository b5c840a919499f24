import {
  listOnDemandConversions,
  type OnDemandConversionListParams,
} from '../../resources/accounts/on-demand-conversions.js';
import { type AccountParams, accountOf, type Handler, handle } from './handler.js';

interface Placed {
  readonly created_at: string;
  readonly id: string;
}

/** Where an item stands in a list of the newest first. Timestamps of one form order as text. */
export const newestFirst = {
  position: ({ created_at, id }: Placed): string => `${created_at} ${id}`,
  isAfter: ({ created_at, id }: Placed, position: string): boolean => `${created_at} ${id}` < position,
};

export const conversionHandlers: readonly Handler[] = [
  handle<AccountParams, OnDemandConversionListParams>(listOnDemandConversions, (state, { params, query }) => {
    const { id, conversions } = accountOf(state, params);
    const scope = [listOnDemandConversions.name, id];
    return state.pager.page({ scope, items: conversions, ...newestFirst }, query);
  }),
];
