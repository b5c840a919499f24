import type { ApiPromise, ListOptions, PagedList, UnkeyedRequestOptions } from '../../call/caller.js';
import { type Polling, shown } from '../../call/wait/poll.js';
import type { WaitOptions } from '../../call/wait/poll-options.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { isRecord } from '../../util/options.js';
import {
  type AssetListing,
  type AssetListParams,
  type AssetPageMeta,
  assetListing,
  assetListParams,
  assetPageMeta,
} from '../assets/listing.js';
import { defineList, defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';
import {
  type CreatedUser,
  createHeadlessUser,
  createUser,
  type HeadlessUserCreateBody,
  type UserAccount,
  type UserCreateBody,
  type UserUpdateBody,
  updateUser,
} from './create.js';
import { Verifications } from './verifications.js';

export const listUserAssets = defineList('users.assets.list', 'GET /v1/users/{user_id}/assets', {
  query: assetListParams,
  answer: s.page(assetListing, { echoes: assetPageMeta }),
});

/** `client.users.assets`: the assets that one user may use. */
export class UserAssets extends Resource {
  /**
   * Lists the assets that a user may use, with market data. `page.meta` has the valuation asset,
   * order and filters.
   *
   * @example
   * const params = { type: ['stablecoin'], swap_trading: true };
   * for await (const asset of client.users.assets.list(userId, params)) {
   *   console.log(asset.symbol, asset.price?.toFixed());
   * }
   *
   * @param userId 14 to 42 characters.
   * @stability specified
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(userId: string, params?: AssetListParams, options?: ListOptions): PagedList<AssetListing, AssetPageMeta> {
    return this.api.list(listUserAssets, [userId, params], options);
  }
}

/** An end user of the partner. */
export interface User {
  /** User identifier, 14 to 42 characters. */
  id: string;
  /** The partner's own reference. */
  external_reference: string;
  /** `individual` is the only value seen. */
  type: 'individual' | (string & {});
  status: {
    /** `ok` is the only value seen. */
    state: 'ok' | (string & {});
    /** Actions that block the user or are pending. The service does not document their shape. */
    required_actions: unknown[];
  };
  /** ISO 8601, UTC. */
  created_at: string;
  accounts: UserAccount[];
}

const user = s.output<User>()(() =>
  z.looseObject({
    id: z.string(),
    external_reference: z.string(),
    type: z.string(),
    status: z.looseObject({ state: z.string(), required_actions: z.array(z.unknown()) }),
    created_at: z.string(),
    accounts: z.array(z.looseObject({ id: z.string(), name: z.string() })),
  }),
);

export const getUser = defineOperation('users.get', 'GET /v1/users/{user_id}', {
  waitFor: true,
  answer: s.data(user),
  correlation: [{ member: ['id'], param: 'user_id' }],
});

/** The most actions that a message names. */
const MAX_SHOWN_ACTIONS = 5;

/** Members that may name an action: the service does not document its shape. */
const ACTION_NAMES: readonly string[] = ['type', 'code', 'action', 'name'];

function nameOfAction(action: unknown): unknown {
  if (!isRecord(action)) return action;
  return ACTION_NAMES.map((name) => action[name]).find((text) => typeof text === 'string');
}

/** Returns, for example, `required_actions: "submit_verification"`. */
function actionsOf(user: User): string {
  const actions: unknown = user?.status?.required_actions;
  if (!Array.isArray(actions) || actions.length === 0) return 'required_actions: none';
  const names = actions.slice(0, MAX_SHOWN_ACTIONS).map((action) => shown(nameOfAction(action)));
  const more = actions.length - names.length;
  return `required_actions: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

// With `responseValidation: 'warn'` a user may be anything. The wait then continues.
const userPolling: Polling<User> = {
  operation: getUser,
  statusOf: (user) => user?.status?.state,
  // The service does not document its final states.
  isTerminal: () => false,
  // The service may leave out a list without items.
  until: (user) => user?.status?.state === 'ok' && !user.status.required_actions?.length,
  detailOf: actionsOf,
};

/** `client.users`: end users, their verifications and the assets they may use. */
export class Users extends Resource {
  readonly verifications = new Verifications(this.api);
  readonly assets = new UserAssets(this.api);

  /**
   * Creates a user with personal data, and the user's accounts. `users.waitFor` waits until the
   * user may act; `users.verifications` submits what the service asks for.
   *
   * `external_reference` identifies a user, so a second call with the same reference returns the
   * same user. Therefore the call takes no idempotency key and is retried like a read.
   *
   * The service documents only parts of the body and of the response. All other members are sent
   * and returned unchanged.
   *
   * @example
   * const user = await client.users.create({
   *   email: 'ada@customer.example',
   *   external_reference: 'customer-4711',
   *   full_name: { first_name: 'Ada', last_name: 'Byron' },
   *   residence: { line1: '1 High St', city: 'London', postal_code: 'W1A 1AA', country: 'GB' },
   *   phone: '+442071234567',
   *   nationalities: ['GB'],
   * });
   *
   * @stability partial
   * @throws RequestValidationError for a wrong phone number or nationality, and the errors of every
   *   call.
   */
  create(body: UserCreateBody, options?: UnkeyedRequestOptions): ApiPromise<CreatedUser> {
    return this.api.call(createUser, [body], options);
  }

  /**
   * Creates a user without personal data, and the user's accounts. A second call with the same
   * `external_reference` returns the same user, so the call is retried like a read.
   *
   * @example
   * const user = await client.users.createHeadless({ external_reference: 'customer-4711' });
   * const main = user.accounts.find(({ name }) => name === 'main');
   *
   * @stability documented
   * @throws The errors of every call.
   */
  createHeadless(body: HeadlessUserCreateBody, options?: UnkeyedRequestOptions): ApiPromise<CreatedUser> {
    return this.api.call(createHeadlessUser, [body], options);
  }

  /**
   * Changes the personal data of a user. What you leave out stays unchanged. Members that the
   * service does not document are sent as given.
   *
   * It takes no idempotency key, so if its response is lost, the error's `outcome` is `unknown`.
   * You may send the same change again, because it sets values.
   *
   * @example
   * // Nationalities are replaced as a whole. What you leave out stays unchanged.
   * await client.users.update(userId, { phone: '+442071234568', nationalities: ['GB', 'IE'] });
   *
   * @param userId 14 to 42 characters.
   * @stability documented
   * @throws RequestValidationError for a wrong phone number or nationality, and the errors of every
   *   call.
   */
  update(userId: string, body: UserUpdateBody, options?: UnkeyedRequestOptions): ApiPromise<void> {
    return this.api.call(updateUser, [userId, body], options);
  }

  /**
   * Reads one user: status, required actions, and the account ids for all calls of an account.
   *
   * @example
   * const { status, accounts } = await client.users.get(userId);
   * if (status.state !== 'ok') console.log(status.required_actions);
   * const main = accounts.find(({ name }) => name === 'main');
   *
   * @param userId 14 to 42 characters.
   * @stability specified
   * @throws NotFoundError with code `user_not_found`, and the errors of every call.
   */
  get(userId: string, options?: UnkeyedRequestOptions): ApiPromise<User> {
    return this.api.call(getUser, [userId], options);
  }

  /**
   * Polls `get` until the user's state is `ok` and no action is required, or until `until` is met.
   *
   * The final states are not known, so none ends the wait by itself. A user whose documents were
   * rejected is polled until `timeout`. `users.verifications.waitFor` ends then, with the reasons.
   * The delays grow from about 0.2 s to 5 s, with jitter.
   *
   * A `get` that failed after its own retries with a connection error, a timeout, a 5xx or a body
   * that is not JSON does not end the wait. Any other error does, and is thrown unchanged.
   *
   * @example
   * const user = await client.users.waitFor(userId, {
   *   timeout: 300_000,
   *   onPoll: ({ status }) => console.log(status.state, status.required_actions),
   * });
   *
   * @param userId 14 to 42 characters.
   * @stability specified
   * @throws TimeoutError when the wait takes longer than its `timeout` (default 60 s). Its message
   *   names the state and the required actions; its `cause` is the last failure of a `get`, if one
   *   failed. AbortedError, and the errors of `get`.
   */
  waitFor(userId: string, options?: WaitOptions<User>): ApiPromise<User> {
    return this.api.waitFor(userPolling, [userId], options);
  }
}
