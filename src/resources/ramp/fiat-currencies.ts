import type { ListOptions, PagedList } from '../../call/caller.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { defineList } from '../define-operation.js';
import { Resource } from '../resource.js';
import { MAX_TOKEN_LENGTH } from './countries.js';

/** A page of the currencies. Any other parameter is sent unchanged. */
export interface RampFiatCurrencyListParams {
  /** At least 1; the service's default is 50. */
  page_size?: number | undefined;
  /**
   * `nextPageToken` of an earlier page with the same country and subdivision, 1 to 512 characters.
   * Default: from the beginning.
   */
  page_token?: string | undefined;
  [parameter: string]: unknown;
}

const listParams = s.input<RampFiatCurrencyListParams>()(() =>
  z.looseObject(s.paging({ default: 50, maxTokenLength: MAX_TOKEN_LENGTH })),
);

export const listRampFiatCurrencies = defineList('ramp.fiatCurrencies.list', 'GET /v1/ramp/fiat-currencies', {
  query: listParams,
  answer: s.pageOfAnything(z.unknown, MAX_TOKEN_LENGTH),
});

/** `client.ramp.fiatCurrencies`: the money that the hosted checkout takes. */
export class RampFiatCurrencies extends Resource {
  /**
   * Lists the currencies that the hosted checkout takes. The form of the response is not
   * documented, so each item is passed on unchanged. If `data` is neither a list nor an object with
   * one list, it is the only item. The currencies are said to depend on the country and the
   * subdivision, which `ramp.checkout` calls `country` and `subdivision`; their names here are not
   * known.
   *
   * @example
   * const currencies = await client.ramp.fiatCurrencies.list().toArray({ limit: 500 });
   * console.log(currencies.length); // unknown: check them before use
   *
   * @stability partial
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(params?: RampFiatCurrencyListParams, options?: ListOptions): PagedList<unknown> {
    return this.api.list(listRampFiatCurrencies, [params], options);
  }
}
