import { deleteFundingAddress } from '../../../../resources/funds/addresses.js';
import { getBankLink } from '../../../../resources/funds/bank-links.js';
import { type DepositLimitListParams, listDepositLimits } from '../../../../resources/funds/deposit-limits.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../../core/request/handler.js';
import { badRequest, notFound } from '../../../core/request/refusal.js';

export const fundsHandlers: readonly Handler[] = [
  handle<AccountParams & { address_id: string }>(deleteFundingAddress, (state, { params }) => {
    const deleted = accountOf(state, params).fundingAddresses.delete(params.address_id);
    if (!deleted) throw notFound(deleteFundingAddress);
    return { data: { address_id: params.address_id, status: 'deleted' } };
  }),
  handle<AccountParams & { bank_link_id: string }>(getBankLink, (state, { params }) => {
    const link = accountOf(state, params).bankLinks.get(params.bank_link_id);
    if (link === undefined) throw notFound(getBankLink);
    return { data: link };
  }),
  handle<AccountParams & { asset_symbol: string }, DepositLimitListParams>(
    listDepositLimits,
    (state, { params, query }) => {
      const { id, depositLimits } = accountOf(state, params);
      const items = depositLimits.get(params.asset_symbol);
      if (items === undefined)
        throw badRequest({ field: 'asset_symbol', message: 'is not a symbol of the assets API' });
      const scope = [listDepositLimits.name, id, params.asset_symbol];
      return state.pager.page(
        {
          scope,
          items,
          position: (limit) => limit.method_id,
          isAfter: (limit, position) => limit.method_id > position,
          sizeInToken: true,
        },
        query,
      );
    },
  ),
];
