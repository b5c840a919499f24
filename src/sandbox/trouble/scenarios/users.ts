import * as z from 'zod/mini';
import { BOOLEAN } from '../../../util/options.js';
import { all, find } from '../../core/kind/find.js';
import type { State } from '../../core/records/state.js';
import { type FoundUser, SUBMIT_IDENTITY, setUserStatus, userNamed, users } from '../../kinds/users.js';
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
    'Users must verify their identity again. If the sandbox enforces it, their accounts are closed (403). When it stops, users who are still pending get their earlier status.',
  options: {
    users: { rule: listOfTexts('a list of texts'), text: 'Ids of users; by default all whose state is `ok`.' },
    enforce: { rule: BOOLEAN, text: '`true` closes their accounts; by default as `createSandbox` says.' },
  },
  saved,
  start({ state }, { users: ids, enforce = state.enforceUserStatus }) {
    const reviewed = usersOf(state, ids);
    const review = { state: UNDER_REVIEW, required_actions: [SUBMIT_IDENTITY] };
    for (const found of reviewed) setUserStatus(state, found, review);
    const enforced = state.enforceUserStatus;
    state.enforceUserStatus = enforce;
    return { users: reviewed.map(({ id, record }) => ({ id, before: record.user.status })), run: { enforced } };
  },
  stop({ state }, { users: reviewed, run }) {
    if (run !== undefined) state.enforceUserStatus = run.enforced;
    for (const { id, before } of reviewed) {
      const now = find(state, users, id);
      if (now?.record.user.status.state === UNDER_REVIEW) setUserStatus(state, now, before);
    }
  },
};

function usersOf(state: State, ids: readonly string[] | undefined): readonly FoundUser[] {
  if (ids === undefined) return all(state, users).filter(({ record }) => record.user.status.state === 'ok');
  return ids.map((id) => userNamed(state, METHOD, id));
}
