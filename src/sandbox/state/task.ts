/** A planned change: plain data, so it can be saved. What its ids name may be gone by then. */
export type Task =
  | { readonly kind: 'quote.finish'; readonly account: string; readonly quote: string }
  | { readonly kind: 'wallet.screen'; readonly account: string; readonly wallet: string }
  | {
      readonly kind: 'conversion.settle' | 'conversion.complete';
      readonly account: string;
      readonly conversion: string;
    }
  | {
      readonly kind: 'limit.restore';
      readonly account: string;
      readonly symbol: string;
      readonly method: string;
      readonly period: string;
      readonly amount: string;
    }
  | StepTask
  | { readonly kind: 'webhook.attempt'; readonly delivery: string }
  | RunTask;

/** The end of what belongs to one run: a snapshot does not have it. */
export interface RunTask {
  readonly kind: 'fault.end';
  readonly id: string;
}

/** A planned step of a record, by its name in the table of steps. */
export interface StepTask {
  readonly kind: 'step';
  /** For example `withdrawal.send`. */
  readonly step: string;
  /** The id of the record. */
  readonly id: string;
  /** The account of the record. Absent if it belongs to the partner. */
  readonly account?: string | undefined;
}

export const isOfRun = (task: Task): task is RunTask => task.kind === 'fault.end';
