import {
  type ConversionRuleCreateBody,
  createConversionRule,
} from '../../../../resources/accounts/conversion-rules.js';
import {
  type ConversionCreateBody,
  type ConversionListParams,
  createConversion,
  listConversions,
} from '../../../../resources/accounts/conversions.js';
import { createExpectedDeposit, type ExpectedDepositCreateBody } from '../../../../resources/accounts/deposits.js';
import { getConversion } from '../../../../resources/conversions.js';
import type { Wire } from '../../../../schema/types.js';
import { findRecord } from '../../../core/records/find-record.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../../core/request/handler.js';
import { newestFirst } from '../../../core/request/paging.js';
import { notFound } from '../../../core/request/refusal.js';
import { accountConversions } from '../../lifecycles/inbound/conversion-record.js';
import { createConversion as startConversion } from '../../lifecycles/inbound/conversions.js';
import { expectDeposit } from '../../lifecycles/inbound/deposits.js';
import { createRule } from '../../lifecycles/inbound/rules.js';

export const inboundHandlers: readonly Handler[] = [
  handle<AccountParams, unknown, Wire<ConversionRuleCreateBody>>(createConversionRule, (state, { params, body }) => ({
    data: createRule(state, accountOf(state, params), body),
  })),
  handle<AccountParams, unknown, Wire<ConversionCreateBody>>(createConversion, (state, { params, body }) => ({
    data: startConversion(state, accountOf(state, params), body),
  })),
  handle<AccountParams, ConversionListParams>(listConversions, (state, { params, query }) => {
    const { id, records } = accountOf(state, params);
    const { conversion_rule_id: rule, status, ...page } = query;
    const all = [...records.of(accountConversions).values()].reverse();
    const items = all.filter(({ conversion }) => {
      const isOfRule = rule === undefined || conversion.conversion_rule_id === rule;
      return isOfRule && (status === undefined || conversion.status === status);
    });
    const scope = [listConversions.name, id, rule ?? null, status ?? null];
    const found = state.pager.page({ scope, items, ...newestFirst }, page);
    return { ...found, data: found.data.map(({ conversion }) => conversion) };
  }),
  handle<{ conversion_id: string }>(getConversion, (state, { params }) => {
    const found = findRecord(state, accountConversions, params.conversion_id);
    if (found === undefined) throw notFound(getConversion);
    accountOf(state, { account_id: found.account.id });
    return { data: found.record.conversion };
  }),
  handle<AccountParams, unknown, Wire<ExpectedDepositCreateBody>>(createExpectedDeposit, (state, { params, body }) => ({
    data: expectDeposit(state, accountOf(state, params), body),
  })),
];
