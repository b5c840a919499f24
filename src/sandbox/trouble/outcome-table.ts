import { createConversion } from '../../resources/accounts/conversions.js';
import { createExpectedDeposit } from '../../resources/accounts/deposits.js';
import type { Task } from '../core/clock/task.js';
import type { OperationOutcomes, OutcomeKind } from '../core/kind/kind.js';
import { KINDS } from '../kinds/index.js';
import { accountConversions } from '../kinds/lifecycles/inbound/conversion-record.js';

/** The delay of `slow` without `ms`. */
const SLOW_MS = 60_000;

/** The step is late: `ms` from now, by default a minute. */
function slow(summary: string, isStep: (task: Task, id: string) => boolean): OutcomeKind {
  return {
    summary: `${summary} only after \`ms\`, by default a minute.`,
    takes: ['ms'],
    apply: ({ state: { clock }, id, ms = SLOW_MS }) =>
      clock.replan(
        (task) => isStep(task, id),
        ({ task }) => ({ at: clock.now() + ms, task }),
      ),
  };
}

const isStep =
  (name: string) =>
  (task: Task, wanted: string): boolean =>
    task.kind === 'step' && task.step === name && task.id === wanted;

/** Changes a record, if it is there. */
function changing<T>(record: T | undefined, change: (record: T) => void): boolean {
  if (record !== undefined) change(record);
  return record !== undefined;
}

/** All outcomes that can be forced. */
const TABLE: readonly OperationOutcomes[] = [
  {
    operation: createConversion,
    id: 'id',
    outcomes: {
      failed: {
        summary: 'The conversion fails when it would settle.',
        apply: ({ account, id }) =>
          changing(account?.records.of(accountConversions).get(id), (record) => {
            record.fails = true;
          }),
      },
      slow: slow('A conversion of the balance settles', isStep('conversion.pay_in')),
    },
  },
  {
    operation: createExpectedDeposit,
    id: 'id',
    outcomes: {
      expired: {
        summary: 'Nothing arrives: the deposit expires at once, or after `ms`.',
        takes: ['ms'],
        apply: ({ state: { clock }, id, ms = 0 }) =>
          clock.replan(
            (task) => isStep('expected_deposit.expire')(task, id),
            ({ task }) => ({ at: clock.now() + ms, task }),
          ),
      },
    },
  },
];

/** By the name of the operation. */
export const OUTCOMES: ReadonlyMap<string, OperationOutcomes> = new Map(
  [...KINDS.flatMap(({ outcomes = [] }) => outcomes), ...TABLE].map((row) => [row.operation.name, row]),
);
