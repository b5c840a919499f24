import type { ApiPromise, UnkeyedRequestOptions } from '../../call/caller.js';
import type { Operation } from '../../schema/operation.js';
import { data } from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';

export const listRampFiatCurrencies: Operation<unknown> = defineOperation(
  'ramp.fiatCurrencies.list',
  'GET /v1/ramp/fiat-currencies',
  {
    // Anything but null: that would not be an answer.
    answer: data(() => z.unknown().check(z.refine((value) => value !== null))),
  },
);

/** `client.ramp.fiatCurrencies`: the money that the hosted checkout takes. */
export class RampFiatCurrencies extends Resource {
  /**
   * Returns the currencies that the hosted checkout takes. The service documents no form of the
   * answer: its `data` is handed over as it came. The answer is not paged here.
   *
   * @example
   * const currencies = await client.ramp.fiatCurrencies.list(); // unknown: check it before use
   * if (Array.isArray(currencies)) console.log(currencies.length);
   *
   * @stability partial
   * @throws The errors of every call.
   */
  list(options?: UnkeyedRequestOptions): ApiPromise<unknown> {
    return this.api.call(listRampFiatCurrencies, [], options);
  }
}
