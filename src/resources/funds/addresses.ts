import type { ApiPromise, UnkeyedRequestOptions } from '../../call/caller.js';
import { once } from '../../schema/operation.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { ACCOUNT, defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';

const ADDRESS_ID = /^AB[A-Za-z0-9]{5}-[A-Za-z0-9]{5}-[A-Za-z0-9]{6}$/;
const NO_ADDRESS_ID =
  'must be AB and 5, 5 and 6 letters or digits with dashes between, for instance "AB12CDE-34FGH-56IJKL"';

// Only this operation takes account ids of 1 to 64 characters. All others take 14 to 42.
const deleteParams = once(() =>
  z.object({ account_id: s.text(1, 64), address_id: z.string().check(z.regex(ADDRESS_ID, NO_ADDRESS_ID)) }),
);

export const deleteFundingAddress = defineOperation(
  'funds.addresses.delete',
  `DELETE ${ACCOUNT}/funds/addresses/{address_id}`,
  {
    params: deleteParams,
    answer: s.nothing,
  },
);

/** `client.funds.addresses`: funding addresses that users have added. */
export class FundingAddresses extends Resource {
  /**
   * Permanently deletes a funding address that the user has added. A DELETE is retried if its
   * answer was lost. If the retry is answered 404, the call fails with a `NotFoundError` whose
   * `outcome` is `unknown`.
   *
   * @example
   * try {
   *   await client.funds.addresses.delete(accountId, addressId);
   * } catch (error) {
   *   // After a lost answer, a 404 most likely says that the address is gone.
   *   if (!(error instanceof NotFoundError && error.outcome === 'unknown')) throw error;
   * }
   *
   * @stability specified
   * @param accountId Here 1 to 64 characters.
   * @param addressId 20 characters: `AB` and 5, 5 and 6 letters or digits with dashes between.
   * @throws NotFoundError, and the errors of every call.
   */
  delete(accountId: string, addressId: string, options?: UnkeyedRequestOptions): ApiPromise<void> {
    return this.api.call(deleteFundingAddress, [accountId, addressId], options);
  }
}
