import type { User } from '../../../resources/users/users.js';
import type { Wire } from '../../../schema/types.js';
import type { Changes } from '../basics/changes.js';
import type { Events } from '../basics/events.js';
import type { Random } from '../basics/random.js';
import type { Clock } from '../clock/clock.js';
import type { Task } from '../clock/task.js';
import type { Catalogue } from '../market/catalogue.js';
import type { Books, Holdings } from '../money/ledger.js';
import type { Pager } from '../request/paging.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Records } from './records.js';

export interface AccountState {
  readonly id: string;
  readonly holdings: Holdings;
  /** Records of all other kinds. */
  readonly records: Records;
}

export interface State {
  readonly clock: Clock<Task>;
  /** Draws ids and amounts while the service runs. */
  readonly random: Random;
  readonly pager: Pager;
  /** Signs links to files. */
  readonly downloadSecret: Uint8Array;
  readonly catalogue: Catalogue;
  readonly accounts: Map<string, AccountState>;
  readonly books: Books;
  /** Records that belong to the partner. */
  readonly records: Records;
  /** Names of the withdrawal methods, by id. */
  readonly payoutMethods: ReadonlyMap<string, string>;
  /** True if an account is closed to the partner while its user's state is not `ok`. */
  readonly enforceUserStatus: boolean;
  readonly ownerOf: (state: State, accountId: string) => Wire<User> | undefined;
  /** The only one-time password to accept, from the options. Undefined: any is accepted. */
  readonly otp: string | undefined;
  /** Announces changes that have no entry in the timeline. */
  readonly changes: Changes;
  /** Carries events to the webhooks. */
  readonly events: Events;
  /** Records what happens. */
  readonly timeline: Timeline;
}
