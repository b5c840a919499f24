import { subjectOf } from '../../core/clock/task.js';
import { all } from '../../core/kind/find.js';
import type { AnyKind, Owner } from '../../core/kind/kind.js';
import type { State } from '../../core/records/state.js';
import { GROUPS, KINDS } from '../../kinds/registry/index.js';

/** A planned step. */
export interface AgendaEntry {
  /** Milliseconds since the epoch, by the sandbox's clock. */
  readonly at: number;
  /** For example `Wallet 3f… is approved or rejected.` */
  readonly what: string;
  /** Name of the step, for example `wallet.screen`. */
  readonly task: string;
  /** The id of what it is about. */
  readonly id: string;
  readonly account?: string | undefined;
  /** The kind of the resource, as in `resources.list(kind)`; absent if the step concerns none. */
  readonly resource?: string | undefined;
}

/** Filter of the agenda's entries. */
export interface AgendaFilter {
  /** Only those of this account. Default: all. */
  readonly account?: string | undefined;
  /** Maximum number of steps, earliest first. Default 1,000. */
  readonly limit?: number | undefined;
}

const DEFAULT_LIMIT = 1_000;

type Row = readonly [resource: string | undefined, what: (id: string) => string];

/** The effect of each step, and its kind of resource. */
export const AGENDA_ROWS: Readonly<Record<string, Row>> = {
  'webhook.attempt': ['deliveries', (id) => `Delivery ${id} is attempted.`],
  'fault.end': [undefined, (id) => `Fault ${id} ends.`],
  'scenario.end': [undefined, (id) => `Scenario ${id} ends.`],
  ...Object.fromEntries(
    GROUPS.flatMap(({ timers = {} }) =>
      Object.entries(timers).map(([step, { effect }]) => [step, [undefined, () => effect]] as const),
    ),
  ),
  ...Object.fromEntries(
    KINDS.flatMap(({ name, steps = {}, expiry }) => [
      ...Object.entries(steps).map(([step, { effect }]) => [step, [name, effect]] as const),
      ...(expiry === undefined ? [] : [[expiry.step, [name, expiry.effect]] as const]),
    ]),
  ),
};

/**
 * Returns what will happen, earliest first: the timers, and the ends of offers, which need none.
 */
export function agendaOf(state: State, { account, limit = DEFAULT_LIMIT }: AgendaFilter = {}): AgendaEntry[] {
  const planned = state.clock.agenda.map(({ at, task }) => ({ at, ...subjectOf(task) }));
  return [...planned, ...KINDS.flatMap((kind) => expiriesOf(state, kind))]
    .filter((entry) => account === undefined || entry.account === account)
    .sort((a, b) => a.at - b.at)
    .slice(0, limit)
    .map(({ at, ...subject }) => {
      const [resource, what] = AGENDA_ROWS[subject.task] ?? [undefined, () => `${subject.task} of ${subject.id}`];
      return { at, what: what(subject.id), ...subject, ...(resource === undefined ? {} : { resource }) };
    });
}

function expiriesOf(state: State, kind: AnyKind) {
  const { expiry, stateOf } = kind;
  if (expiry === undefined) return [];
  return all(state, kind).flatMap(({ account, id, record }) => {
    if (stateOf?.(record) !== expiry.from || expiry.at(record) <= state.clock.now()) return [];
    return [{ at: expiry.at(record), task: expiry.step, id, account: (account as Owner)?.id }];
  });
}
