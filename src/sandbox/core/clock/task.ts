/** A scheduled change: plain data, so it can be saved. Its resource may be removed by then. */
export type Task = StepTask | { readonly kind: 'webhook.attempt'; readonly delivery: string } | RunTask;

/** The end of something that belongs to one run. A snapshot does not contain it. */
export interface RunTask {
  readonly kind: 'trouble.end';
  readonly id: string;
}

export const isOfRun = (task: Task): task is RunTask => task.kind === 'trouble.end';

/** A scheduled step of a record, by its name in the table of steps. */
export interface StepTask {
  readonly kind: 'step';
  /** For example `withdrawal.finish`. */
  readonly step: string;
  readonly id: string;
  /** The account of the record. Absent if it belongs to the partner. */
  readonly account?: string | undefined;
  /** Data that the step needs in addition to the record. */
  readonly data?: StepData | undefined;
}

/** True for this scheduled step of the record. */
export const isStep = (task: Task, step: string, id: string): boolean =>
  task.kind === 'step' && task.step === step && task.id === id;

export type StepData = Readonly<Record<string, string>>;

/** The subject of a task. */
export interface TaskSubject {
  /** Name of the step, for example `quote.finish`. */
  readonly task: string;
  /** Id of the record, for example of a quote. */
  readonly id: string;
  readonly account?: string | undefined;
}

export function subjectOf(task: Task): TaskSubject {
  switch (task.kind) {
    case 'step':
      return { task: task.step, id: task.id, account: task.account };
    case 'webhook.attempt':
      return { task: task.kind, id: task.delivery };
    case 'trouble.end':
      return { task: task.kind, id: task.id };
  }
}
