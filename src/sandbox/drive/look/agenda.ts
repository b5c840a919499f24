import * as z from 'zod/mini';
import { count, text } from '../../core/basics/checked.js';
import { subjectOf } from '../../core/clock/task.js';
import { all } from '../../core/kind/find.js';
import type { AnyKind, Owner } from '../../core/kind/kind.js';
import type { State } from '../../core/records/state.js';
import { KINDS } from '../../kinds/registry/index.js';

/** A scheduled step. */
export interface AgendaEntry {
  /** Milliseconds since the epoch, by the sandbox's clock. */
  readonly at: number;
  /** One sentence, for example `Wallet 3f… is approved or rejected.` */
  readonly what: string;
  /** Name of the step, for example `wallet.screen`. */
  readonly task: string;
  /** Id of its subject, for example of a quote. */
  readonly id: string;
  readonly account?: string | undefined;
  /** Kind of the subject, as in `resources.list(kind)`. Absent if it is not a resource. */
  readonly resource?: string | undefined;
}

/** Filter of scheduled steps. */
export interface AgendaFilter {
  /** Only steps of this account. */
  readonly accountId?: string | undefined;
  /**
   * Only steps that are due at this time, in ms since the epoch, or earlier. Steps that follow from
   * the listed ones are scheduled only when those happen, so they are not listed.
   */
  readonly until?: number | undefined;
  /** Maximum number of steps, earliest first. Default 1,000. */
  readonly limit?: number | undefined;
}

export const agendaFilter = z.strictObject({
  accountId: z.optional(text),
  until: z.optional(count),
  limit: z.optional(count),
});

const DEFAULT_LIMIT = 1_000;

type Row = readonly [resource: string | undefined, what: (id: string) => string];

/** The effect of each step, and the kind of its resource. */
export const AGENDA_ROWS: Readonly<Record<string, Row>> = {
  'webhook.attempt': ['deliveries', (id) => `Delivery ${id} is attempted.`],
  'trouble.end': [undefined, (id) => `Trouble ${id} ends.`],
  ...Object.fromEntries(
    KINDS.flatMap(({ name, steps = {}, expiry }) => [
      ...Object.entries(steps).map(([step, { effect }]) => [step, [name, effect]] as const),
      ...(expiry === undefined ? [] : [[expiry.step, [name, expiry.effect]] as const]),
    ]),
  ),
};

/** Returns the scheduled steps, earliest first: timers, and ends of offers, which have no timer. */
export function agendaOf(
  state: State,
  { accountId, until = Number.POSITIVE_INFINITY, limit = DEFAULT_LIMIT }: AgendaFilter = {},
): AgendaEntry[] {
  const planned = state.clock.agenda.map(({ at, task }) => ({ at, ...subjectOf(task) }));
  return [...planned, ...KINDS.flatMap((kind) => expiriesOf(state, kind))]
    .filter(({ account, at }) => (accountId ?? account) === account && at <= until)
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
