import * as z from 'zod/mini';
import {
  type CreatedUser,
  createHeadlessUser,
  createUser,
  type HeadlessUserCreateBody,
  type UserAccount,
  type UserCreateBody,
  type UserUpdateBody,
  updateUser,
} from '../../resources/users/create.js';
import { getUser, type User } from '../../resources/users/users.js';
import type { Verification } from '../../resources/users/verifications.js';
import type { Wire } from '../../schema/types.js';
import { isRecord } from '../../util/options.js';
import { text } from '../core/basics/checked.js';
import { excerpt } from '../core/basics/excerpt.js';
import { ALPHABETS, type Random } from '../core/basics/random.js';
import { DAY_MS, timestamp } from '../core/clock/clock.js';
import { all, find } from '../core/kind/find.js';
import { handle, type UserParams } from '../core/kind/handler.js';
import type { Found, Kind } from '../core/kind/kind.js';
import { Holdings } from '../core/money/ledger.js';
import { change, keep, open, put } from '../core/mutations.js';
import { Records } from '../core/records/records.js';
import { answered } from '../core/records/saved-values.js';
import type { AccountState, State } from '../core/records/state.js';
import { existing, forbidden } from '../core/request/refusal.js';
import { earn, newEarn } from './earn.js';
import { limits, newLimits } from './limits.js';
import { groupedId } from './shared/addresses/generate.js';
import { balancesByTicker, payIn, sumsOf } from './shared/pay-in.js';

/** Personal data of a user as the partner sent it. */
type Profile = Readonly<Record<string, unknown>>;

interface UserRecord {
  readonly user: Wire<User>;
  /** Absent if none was given. */
  readonly profile?: Profile | undefined;
}

export type FoundUser = Found<UserRecord, undefined>;

/** A user to add to those of the seed. */
export interface SandboxUserInput {
  /** The partner's reference. `users.createHeadless` with it returns the user's ids. */
  readonly external_reference: string;
  /**
   * First balances of the user's account, by ticker, for example `{ BTC: '2' }`, as decimal
   * strings. If several classes have the ticker, the first is used; `xstock:SPX` names one.
   *
   * @example
   * sandbox.users.add({ external_reference: 'ada', balances: { BTC: '2', 'xstock:SPX': '5' } });
   */
  readonly balances?: Readonly<Record<string, string>> | undefined;
}

export const userInput = z.strictObject({ external_reference: text, balances: balancesByTicker });

/** The users of the option `users`: each has a reference of its own. */
export const ownUsers = z.array(userInput).check(
  z.superRefine((given, context) => {
    const references = given.map((one) => one.external_reference);
    for (const [index, reference] of references.entries()) {
      if (references.indexOf(reference) === index) continue;
      const message = 'is that of an earlier user in the list';
      context.addIssue({ code: 'custom', path: [index, 'external_reference'], message });
    }
  }),
);

/** A user as `Get user` shows it, with the personal data that the partner sent and changed. */
export interface SandboxUser extends Wire<User> {
  /** Empty for users of the seed and for headless users. */
  readonly profile: Profile;
}

/** `sandbox.users`: the end users of the partner. */
export interface SandboxUsers {
  /**
   * Adds a user in the state `ok` with one account, as the option `users` does. The balances come
   * from outside. Returns the user.
   *
   * @throws Error for an `external_reference` that another user has.
   */
  add(input: SandboxUserInput): Wire<User>;
  /** Returns all users, oldest first. The API cannot list them. */
  list(): User[];
  /** Returns a user with its personal data, which the API does not show. */
  get(userId: string): SandboxUser;
  /**
   * Changes the status that `users.get` shows: `state` is any string, an element of
   * `required_actions` any JSON. With `enforceUserStatus` the user's accounts are closed (403)
   * while `state` is not `ok`. Returns the user.
   *
   * @param status The members to change.
   */
  setStatus(userId: string, status: Partial<User['status']>): User;
  /**
   * Sets the status of any verification immediately, even of one that has finished: `pending`,
   * `completed` or `failed`. A verification that is `pending` again stays so until you set its
   * status. A `pending` user becomes `ok` once the verification is completed, and gets a required
   * action once it has failed. Returns the verification.
   *
   * @param status The new status.
   * @param reasons The reasons of a failure, at least one. Default `[{ code: 'unreadable' }]`.
   * @throws TypeError for reasons with another status. Error if the verification already has the
   *   status.
   */
  setVerification(
    verificationId: string,
    status: 'pending' | 'completed' | 'failed',
    reasons?: NonNullable<Verification['reasons']>,
  ): Wire<Verification>;
}

const userStatus = z.strictObject({ state: z.optional(text), required_actions: z.optional(z.array(z.json())) });

/** The required action of a user whose identity is not verified. */
export const SUBMIT_IDENTITY = { type: 'submit_verification', verification: 'proof_of_identity' };

/** The end users of the partner, oldest first. */
export const users: Kind<UserRecord, undefined> = {
  name: 'users',
  noun: 'user',
  owner: 'partner',
  scope: 'users',
  limit: Number.POSITIVE_INFINITY,
  schema: () =>
    z.object({
      user: answered<Wire<User>>(getUser, ['data']),
      profile: z.optional(z.record(z.string(), z.unknown())),
    }),
  shown: ({ user }) => user,
  userId: ({ user }) => user.id,
  // `users.setStatus` accepts any text, so a saved user may be in an unknown state.
  stateOf: ({ user }) => user.status.state,
  initial: ['ok', 'pending'],
  transitions: [{ from: 'pending', to: 'ok' }],
  methods: {
    add: { takes: { input: userInput }, run: addUser },
    list: { run: (state) => all(state, users).map(({ record }) => record.user) },
    get: {
      takes: { userId: text },
      get: '',
      run(state, userId: string): SandboxUser {
        const { user, profile = {} } = userNamed(state, 'users.get', userId).record;
        return { ...user, profile };
      },
    },
    setStatus: {
      takes: { userId: text, status: userStatus },
      run: (state, userId: string, status: z.infer<typeof userStatus>) =>
        setUserStatus(state, userNamed(state, 'users.setStatus', userId), status),
    },
  },
  operations: [
    handle<UserParams>(getUser, (state, { params }) => {
      const found = existing(getUser, find(state, users, params.user_id));
      return { data: found.record.user };
    }),
    handle<unknown, unknown, UserCreateBody>(createUser, (state, { body }) => {
      const { external_reference: reference, ...profile } = body;
      return { data: created(state, reference, profile) };
    }),
    handle<unknown, unknown, HeadlessUserCreateBody>(createHeadlessUser, (state, { body }) => ({
      data: created(state, body.external_reference),
    })),
    handle<UserParams, unknown, UserUpdateBody>(updateUser, (state, { params, body }) => {
      updateProfile(state, userOf(state, params), body);
      return { data: 'success' };
    }),
  ],
  choices: {
    [createUser.name]:
      'Creates a user with the state `pending`, the required action `{ type: "submit_verification", verification: "proof_of_identity" }` and one account, `main`, which has one deposit method for each asset that accepts deposits. A user who already exists stays unchanged, whatever else the body says.',
    [createHeadlessUser.name]: 'Creates a user without personal data in the state `ok`.',
    [updateUser.name]:
      'Updates the members of `full_name`, `residence` and `birth` one by one, and replaces all other values as a whole. Nothing is verified again.',
  },
};

/** Throws 403 for an unknown user. Only `Get user` declares 404. */
export function userOf(state: State, { user_id: id }: UserParams): FoundUser {
  const found = find(state, users, id);
  if (found === undefined) throw forbidden();
  return found;
}

/** @throws Error for an unknown user. */
export function userNamed(state: State, method: string, userId: string): FoundUser {
  const found = find(state, users, userId);
  if (found === undefined) throw new Error(`${method}: there is no user ${excerpt(userId)}`);
  return found;
}

export const ownerOf = (state: State, accountId: string): Wire<User> | undefined =>
  all(state, users).find(({ record }) => record.user.accounts.some(({ id }) => id === accountId))?.record.user;

/** Returns the service's response for a new user, or for the existing one with this reference. */
function created(state: State, reference: string, profile?: Profile): CreatedUser {
  const { user } = (withReference(state, reference) ?? newUser(state, reference, profile)).record;
  return { id: user.id, accounts: user.accounts };
}

const withReference = (state: State, reference: string): FoundUser | undefined =>
  all(state, users).find(({ record }) => record.user.external_reference === reference);

/** Creates a user with an empty account. Without personal data there is nothing to verify. */
function newUser(state: State, reference: string, profile?: Profile): FoundUser {
  const account = newAccount(state);
  const isVerified = profile === undefined;
  const user: Wire<User> = {
    id: groupedId('AU', state.random),
    external_reference: reference,
    type: 'individual',
    status: { state: isVerified ? 'ok' : 'pending', required_actions: isVerified ? [] : [SUBMIT_IDENTITY] },
    created_at: timestamp(state.clock.now()),
    accounts: [{ id: account.id, name: 'main' }],
  };
  const found = { account: undefined, id: user.id, record: { user, profile } };
  put(state, users, found);
  return found;
}

/** Changes objects member by member, all else as a whole. Absent members do not change. */
function updateProfile(state: State, found: FoundUser, changes: UserUpdateBody): void {
  const { profile = {} } = found.record;
  const changed = Object.entries(changes).map(([name, value]) => {
    const before = profile[name];
    return [name, isRecord(value) && isRecord(before) ? { ...before, ...value } : value] as const;
  });
  change(state, users, found, { ...found.record, profile: { ...profile, ...Object.fromEntries(changed) } });
}

function changed(state: State, found: FoundUser, members: Partial<Wire<User>>): Wire<User> {
  const { record } = found;
  return change(state, users, found, { ...record, user: { ...record.user, ...members } }).user;
}

/** Changes the status of a user. Absent members do not change. Returns the user. */
export function setUserStatus(state: State, found: FoundUser, status: z.infer<typeof userStatus>): Wire<User> {
  const before = found.record.user.status;
  const { state: name = before.state, required_actions = before.required_actions } = status;
  return changed(state, found, { status: { ...before, state: name, required_actions } });
}

/** Opens an additional account for a user, which is empty. */
export function openAccount(state: State, found: FoundUser, name: string): Wire<UserAccount> {
  const shown = { id: newAccount(state).id, name };
  changed(state, found, { accounts: [...found.record.user.accounts, shown] });
  return shown;
}

/**
 * Adds users in the state `ok`, each with one account. If a user with the reference exists, as in a
 * snapshot, it does not change.
 *
 * @throws TypeError for balances of an unknown asset.
 */
export function addOwnUsers(state: State, own: readonly SandboxUserInput[]): void {
  for (const [index, { external_reference: reference, balances }] of own.entries()) {
    const sums = sumsOf(state, `createSandbox: users.${index}.balances`, balances);
    if (withReference(state, reference) !== undefined) continue;
    const account = firstAccountOf(state, newUser(state, reference));
    // No other party pays the first balances.
    for (const sum of sums) if (!sum.amount.isZero()) account?.holdings.receive(sum);
  }
}

/** Adds a user while the sandbox runs. The money comes from outside. */
function addUser(state: State, { external_reference: reference, balances }: SandboxUserInput): Wire<User> {
  const METHOD = 'users.add';
  const sums = sumsOf(state, `${METHOD}: balances`, balances);
  if (withReference(state, reference) !== undefined) {
    throw new Error(`${METHOD}: there is a user with the external_reference ${excerpt(reference)} already`);
  }
  const found = newUser(state, reference);
  const account = firstAccountOf(state, found);
  if (account !== undefined) payIn(state, account, sums);
  return found.record.user;
}

const firstAccountOf = ({ accounts }: State, { record }: FoundUser) => accounts.get(record.user.accounts[0]?.id ?? '');

/** Makes a user of the seed. Some have two accounts, one has an id with spaces. */
export function seedUser(index: number, random: Random, now: number): Wire<User> {
  const made = now - random.integer(90, 700) * DAY_MS - random.integer(0, DAY_MS);
  // The client must percent-encode an id with spaces.
  const spacedId = () => Array.from({ length: 4 }, () => random.text(4, ALPHABETS.upper)).join(' ');
  const accountNames = index % 3 === 0 ? ['main', 'secondary'] : ['main'];
  return {
    id: index === 1 ? spacedId() : groupedId('AU', random),
    external_reference: `customer-${1000 + index}`,
    type: 'individual',
    status: { state: 'ok', required_actions: [] },
    created_at: timestamp(made),
    accounts: accountNames.map((name) => ({ id: groupedId('AA', random), name })),
  };
}

function newAccount(state: State): AccountState {
  const { random } = state;
  const id = groupedId('AA', random);
  const account: AccountState = { id, holdings: new Holdings(id, []), records: new Records() };
  open(state, account);
  for (const [method, limit] of newLimits(state, random.fork(id))) keep(state, limits, account, method, limit);
  keep(state, earn, account, ...newEarn(account));
  return account;
}
