import * as z from 'zod/mini';
import type { User } from '../../../resources/users/users.js';
import { BOOLEAN } from '../../../util/options.js';
import type { State, UserState } from '../../core/records/state.js';
import { SUBMIT_IDENTITY } from '../../kinds/lifecycles/users.js';
import { listOfTexts, METHOD, type ScenarioKind } from './scenario.js';

/** The state of a user under review. */
const UNDER_REVIEW = 'pending';

const status = z.looseObject({ state: z.string(), required_actions: z.array(z.unknown()) });

const saved = z.object({ users: z.array(z.object({ id: z.string(), before: status })) });

interface Setting {
  /** `enforceUserStatus` before the scenario. */
  readonly enforced: boolean;
}

export const kycReview: ScenarioKind<z.output<typeof saved>, Setting> = {
  summary:
    'Users have to verify their identity anew, and their accounts are closed (403) if the sandbox enforces that; the end puts their status back, but for those who are not pending any more.',
  options: {
    users: { rule: listOfTexts('a list of texts'), text: 'Ids of users; by default all whose state is `ok`.' },
    enforce: { rule: BOOLEAN, text: '`true` closes their accounts; by default as `createSandbox` says.' },
  },
  saved,
  start({ state }, { users: ids, enforce = state.enforceUserStatus }) {
    const users = usersOf(state, ids).map(({ user }) => ({ id: user.id, before: { ...user.status } }));
    for (const { id } of users) setStatus(state, id, { state: UNDER_REVIEW, required_actions: [SUBMIT_IDENTITY] });
    const enforced = state.enforceUserStatus;
    state.enforceUserStatus = enforce;
    return { users, run: { enforced } };
  },
  stop({ state }, { users, run }) {
    if (run !== undefined) state.enforceUserStatus = run.enforced;
    for (const { id, before } of users) {
      if (state.users.get(id)?.user.status.state === UNDER_REVIEW) setStatus(state, id, before);
    }
  },
};

function usersOf({ users }: State, ids: readonly string[] | undefined): readonly UserState[] {
  if (ids === undefined) return [...users.values()].filter(({ user }) => user.status.state === 'ok');
  return ids.map((id) => {
    const found = users.get(id);
    if (found === undefined) throw new Error(`${METHOD}: there is no user ${id}`);
    return found;
  });
}

function setStatus({ users }: State, id: string, changed: User['status']): void {
  const found = users.get(id);
  if (found !== undefined) Object.assign(found.user.status, changed);
}
