import type { ApiPromise, ListOptions, PagedList, RequestOptions, UnkeyedRequestOptions } from '../../call/caller.js';
import { once } from '../../schema/operation.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import {
  type AssetLabel,
  type AssetType,
  assetLabel,
  type FundingMethod,
  fundingMethod,
  type PageParams,
} from '../common.js';
import { ACCOUNT, defineList, defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';

const ADDRESS_ID = /^AB[A-Za-z0-9]{5}-[A-Za-z0-9]{5}-[A-Za-z0-9]{6}$/;
const NO_ADDRESS_ID =
  'must be AB and 5, 5 and 6 letters or digits with dashes between, for instance "AB12CDE-34FGH-56IJKL"';

// Only this operation takes account ids of 1 to 64 characters. All others take 14 to 42.
export const deleteFundingAddress = defineOperation(
  'funds.addresses.delete',
  `DELETE ${ACCOUNT}/funds/addresses/{address_id}`,
  {
    params: once(() =>
      z.object({ account_id: s.text(1, 64), address_id: z.string().check(z.regex(ADDRESS_ID, NO_ADDRESS_ID)) }),
    ),
    answer: s.nothing,
  },
);

/** `client.funds.addresses`: funding addresses that users have added. */
export class FundingAddresses extends Resource {
  /**
   * Permanently deletes a funding address that the user has added. A DELETE is retried if its
   * response was lost. If the retry gets a 404, the call fails with a `NotFoundError` whose
   * `outcome` is `unknown`.
   *
   * @example
   * try {
   *   await client.funds.addresses.delete(accountId, addressId);
   * } catch (error) {
   *   // After a lost response, a 404 most likely says that the address is gone.
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

/** A saved withdrawal address. The service does not return the address itself. */
export interface WithdrawalAddress {
  /** The name given when it was saved. */
  key: string;
  tag: string | null;
}

/** A saved withdrawal address after it was renamed. */
export interface RenamedWithdrawalAddress {
  /** The new name. */
  key: string;
}

/** A saved withdrawal address in the list. */
export interface WithdrawalAddressEntry {
  /** Its name, by which a withdrawal refers to it. */
  key: string;
  asset?: AssetLabel | undefined;
  method?: FundingMethod | undefined;
  address?: string | undefined;
  memo?: string | null | undefined;
  tag?: string | null | undefined;
  /** ISO 8601, UTC. */
  created_at?: string | undefined;
}

/** Filter and page of the list of saved withdrawal addresses. */
export interface WithdrawalAddressListParams extends PageParams {
  /** Only those of this ticker, 3 to 16 characters. Default: all. */
  asset_symbol?: string | undefined;
}

/** An address, and the asset and method to withdraw to it. */
interface WithdrawalDestination {
  /** Ticker, 3 to 16 characters. */
  asset_symbol: string;
  /** UUID of a withdrawal method, from `funds.withdrawalMethods.list`. */
  method_id: string;
  /** The withdrawal address. */
  address: string;
  /** Default `crypto`. */
  asset_type?: AssetType | undefined;
}

/** The address to save. */
export interface WithdrawalAddressSaveBody extends WithdrawalDestination {
  /** The name of the address, by which a withdrawal refers to it. */
  key: string;
  /** For networks that require it. */
  memo?: string | undefined;
  /** For networks that require it. */
  tag?: string | undefined;
}

/** The address to validate. */
export interface WithdrawalAddressValidateBody extends WithdrawalDestination {
  /** For networks that require it. */
  memo?: string | null | undefined;
}

/** Says whether an address can receive withdrawals. */
export interface WithdrawalAddressValidity {
  /** False if the service would not send the asset to this address. */
  valid: boolean;
}

/** The new name of a saved address. */
export interface WithdrawalAddressUpdateBody {
  /** The new name. It must not be taken. */
  new_key: string;
}

const destination = () => ({
  asset_symbol: s.symbol(),
  method_id: z.guid('must be a UUID'),
  address: z.string(),
  asset_type: s.withDefault('crypto', s.assetType()),
});

const addressEntry = s.output<WithdrawalAddressEntry>()(() =>
  z.looseObject({
    key: z.string(),
    asset: z.optional(assetLabel()),
    method: z.optional(fundingMethod()),
    address: s.optionalText(),
    memo: z.nullish(z.string()),
    tag: z.nullish(z.string()),
    created_at: s.optionalText(),
  }),
);

const savedAddress = s.output<WithdrawalAddress>()(() =>
  z.looseObject({ key: z.string(), tag: z.nullable(z.string()) }),
);
const validity = s.output<WithdrawalAddressValidity>()(() => z.looseObject({ valid: z.boolean() }));
const renamedAddress = s.output<RenamedWithdrawalAddress>()(() => z.looseObject({ key: z.string() }));

export const saveWithdrawalAddress = defineOperation(
  'funds.withdrawalAddresses.save',
  `POST ${ACCOUNT}/funds/withdrawals/addresses`,
  {
    body: s.input<WithdrawalAddressSaveBody>()(() =>
      z.object({ ...destination(), key: z.string(), memo: s.optionalText(), tag: s.optionalText() }),
    ),
    answer: s.data(savedAddress),
    correlation: [{ member: ['key'], isUnpromised: true }],
    retrySafety: 'keyed',
  },
);

export const validateWithdrawalAddress = defineOperation(
  'funds.withdrawalAddresses.validate',
  'POST /v1/funds/withdrawals/addresses/validate',
  {
    body: s.input<WithdrawalAddressValidateBody>()(() => z.object({ ...destination(), memo: z.nullish(z.string()) })),
    answer: s.data(validity),
    retrySafety: 'keyed',
  },
);

export const updateWithdrawalAddress = defineOperation(
  'funds.withdrawalAddresses.update',
  `PATCH ${ACCOUNT}/funds/withdrawals/addresses/{key}`,
  {
    body: s.input<WithdrawalAddressUpdateBody>()(() => z.object({ new_key: z.string() })),
    answer: s.data(renamedAddress),
    correlation: [{ member: ['key'], body: ['new_key'], isUnpromised: true }],
    retrySafety: 'keyed',
  },
);

export const deleteWithdrawalAddress = defineOperation(
  'funds.withdrawalAddresses.delete',
  `DELETE ${ACCOUNT}/funds/withdrawals/addresses/{key}`,
  { answer: s.nothing, isAssumed: true },
);

export const listWithdrawalAddresses = defineList(
  'funds.withdrawalAddresses.list',
  `GET ${ACCOUNT}/funds/withdrawals/addresses`,
  {
    query: s.input<WithdrawalAddressListParams>()(() =>
      z.object({ asset_symbol: z.optional(s.symbol()), ...s.paging() }),
    ),
    answer: s.page(addressEntry),
  },
);

/** `client.funds.withdrawalAddresses`: saved destinations of withdrawals. */
export class WithdrawalAddresses extends Resource {
  /**
   * Asks the service whether an address can receive withdrawals of an asset. The call belongs to no
   * account and saves nothing. Sent with an `Idempotency-Key`.
   *
   * @example
   * const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
   * const body = { asset_symbol: 'BTC', method_id: methodId, address };
   * const { valid } = await client.funds.withdrawalAddresses.validate(body);
   * if (!valid) console.log('this is no address for BTC');
   *
   * @stability documented
   * @throws RequestValidationError when a member breaks a rule, and the errors of every call.
   */
  validate(body: WithdrawalAddressValidateBody, options?: RequestOptions): ApiPromise<WithdrawalAddressValidity> {
    return this.api.call(validateWithdrawalAddress, [body], options);
  }

  /**
   * Validates and saves an address. A withdrawal refers to it by its `key`. Sent with an
   * `Idempotency-Key`.
   *
   * @example
   * const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
   * const body = { asset_symbol: 'BTC', method_id: methodId, key: 'customer 4711', address };
   * const save = 'funds.withdrawalAddresses.save';
   * const idempotencyKey = idempotencyKeyFor('payouts', save, accountId, body.key);
   * await client.funds.withdrawalAddresses.save(accountId, body, { idempotencyKey });
   *
   * @stability specified
   * @param accountId 14 to 42 characters.
   * @throws ConflictError when the `key` is taken, and the errors of every call.
   */
  save(accountId: string, body: WithdrawalAddressSaveBody, options?: RequestOptions): ApiPromise<WithdrawalAddress> {
    return this.api.call(saveWithdrawalAddress, [accountId, body], options);
  }

  /**
   * Renames a saved address. The destination stays the same. Sent with an `Idempotency-Key`.
   *
   * @example
   * await client.funds.withdrawalAddresses.update(accountId, addressKey, { new_key: 'vault' });
   *
   * @stability specified
   * @param accountId 14 to 42 characters.
   * @param key Its current name. It may contain any characters, which are percent-encoded.
   * @throws NotFoundError when no address has the name `key`, ConflictError when `new_key` is
   *   taken, and the errors of every call.
   */
  update(
    accountId: string,
    key: string,
    body: WithdrawalAddressUpdateBody,
    options?: RequestOptions,
  ): ApiPromise<RenamedWithdrawalAddress> {
    return this.api.call(updateWithdrawalAddress, [accountId, key, body], options);
  }

  /**
   * Deletes a saved address. The path is that of an older edition of the API, moved below the
   * account like that of `update`. A DELETE is retried if its response was lost. If the retry gets
   * a 404, the call fails with a `NotFoundError` whose `outcome` is `unknown`.
   *
   * @example
   * await client.funds.withdrawalAddresses.delete(accountId, addressKey);
   *
   * @stability assumed
   * @param accountId 14 to 42 characters.
   * @param key Its name. It may contain any characters, which are percent-encoded.
   * @throws NotFoundError when no address has the name `key`, or when the service has another path,
   *   and the errors of every call.
   */
  delete(accountId: string, key: string, options?: UnkeyedRequestOptions): ApiPromise<void> {
    return this.api.call(deleteWithdrawalAddress, [accountId, key], options);
  }

  /**
   * Lists the saved addresses. After a `save` or `update` with the outcome `unknown`, or a
   * `ConflictError`, the list shows what is saved under a `key`.
   *
   * @example
   * const addresses = client.funds.withdrawalAddresses.list(accountId, { asset_symbol: 'BTC' });
   * for await (const { key, address, tag } of addresses) console.log(key, address, tag);
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(
    accountId: string,
    params?: WithdrawalAddressListParams,
    options?: ListOptions,
  ): PagedList<WithdrawalAddressEntry> {
    return this.api.list(listWithdrawalAddresses, [accountId, params], options);
  }
}
