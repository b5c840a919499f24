import type { Operation } from '../../../schema/operation.js';
import type { StepTask } from '../../core/clock/task.js';
import type { ApiKeyScope } from '../../core/keys/scopes.js';
import type { Handler } from '../../core/kind/handler.js';
import type { AnyKind } from '../../core/kind/kind.js';
import { runStep } from '../../core/moves.js';
import type { RecordKind } from '../../core/records/records.js';
import type { State } from '../../core/records/state.js';
import { entries } from '../shared/entries.js';
import { AREAS, GROUPS, KINDS } from './index.js';

function kept(owner: 'account' | 'partner'): readonly RecordKind<never>[] {
  const kinds = KINDS.filter((kind) => kind.owner === owner && kind.resources === undefined);
  const own = kinds.flatMap((kind) => [kind, ...(kind.more ?? [])]);
  const shared = owner === 'partner' ? [...KINDS, ...GROUPS].flatMap(({ moreOfPartner = [] }) => moreOfPartner) : [];
  return [...own, ...shared] as readonly unknown[] as readonly RecordKind<never>[];
}

const stepsOf = (kind: AnyKind): [name: string, run: RunStep][] =>
  Object.keys(kind.steps ?? {}).map((name) => [
    name,
    (state, { id, account, data }) => runStep(state, kind, name, id, account, data),
  ]);

/** The kinds of records of accounts. A snapshot with any other kind is rejected. */
export const ACCOUNT_RECORDS = [entries, ...kept('account')] as readonly unknown[] as readonly RecordKind<never>[];

export const PARTNER_RECORDS = [
  ...AREAS.flatMap(({ more = [] }) => more),
  ...kept('partner'),
] as readonly unknown[] as readonly RecordKind<never>[];

/** Runs a scheduled step that is due. Its record may be removed by then. */
type RunStep = (state: State, step: StepTask) => void;

/** The steps that can be scheduled, by name, for example `withdrawal.finish`. */
export const STEPS: Readonly<Record<string, RunStep>> = Object.fromEntries(KINDS.flatMap(stepsOf));

export const HANDLERS: readonly Handler[] = [...KINDS, ...AREAS].flatMap(({ operations = [] }) => operations);

const ofKinds = new Map(
  KINDS.flatMap(({ scope, operations = [] }) => operations.map(({ operation }) => [operation, scope] as const)),
);

export function scopeOf(operation: Operation): ApiKeyScope {
  const { name, method } = operation;
  if (method === 'GET') return 'read';
  return ofKinds.get(operation) ?? (name.startsWith('webhooks.') ? 'webhooks' : 'trade');
}
