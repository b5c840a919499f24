import type { ListOptions, PagedList } from '../../call/caller.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { defineList } from '../define-operation.js';
import { Resource } from '../resource.js';

/** A page of the payment methods. Any further parameter is sent unchanged. */
export interface RampPaymentMethodListParams {
  /** At least 1. Neither a limit nor a default is known. */
  page_size?: number | undefined;
  /** `nextPageToken` of an earlier page, 1 to 256 characters. Default: from the beginning. */
  page_token?: string | undefined;
  [parameter: string]: unknown;
}

const listParams = s.input<RampPaymentMethodListParams>()(() => z.looseObject(s.paging()));

export const listRampPaymentMethods = defineList('ramp.paymentMethods.list', 'GET /v1/ramp/payment-methods', {
  query: listParams,
  answer: s.pageOfAnything(z.unknown),
  isAssumed: true,
});

/** `client.ramp.paymentMethods`: the ways to pay in the hosted checkout. */
export class RampPaymentMethods extends Resource {
  /**
   * Lists the payment methods, which `ramp.limits`, `ramp.checkout` and `rampQuotes` take as a
   * method of a side. The path is that of an older edition of the API with `/v1`, and the form of
   * the response is not known: each item is passed on unchanged. If `data` is neither a list nor an
   * object with one list, it is the only item.
   *
   * @example
   * const methods = await client.ramp.paymentMethods.list().toArray({ limit: 100 });
   * console.log(methods.length); // unknown: check them before use
   *
   * @stability assumed
   * @throws NotFoundError or UnimplementedError when the service has another path, and the errors
   *   of every call.
   */
  list(params?: RampPaymentMethodListParams, options?: ListOptions): PagedList<unknown> {
    return this.api.list(listRampPaymentMethods, [params], options);
  }
}
