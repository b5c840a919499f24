import type { Area } from '../../core/kind/kind.js';
import { reportHandlers } from './reports.js';

/** Settlement reports: a file for each day and each type of movement. */
export const reports: Area = {
  name: 'reports',
  operations: reportHandlers,
  choices: [
    {
      operation: 'reports.settlement.list',
      choice:
        'Has a report for each kind of movement and each day (UTC) that is over, of the last 366 days. The moment of a report is the beginning of its day. The kind `funding` has all movements that are not of the other kinds.',
    },
    {
      operation: 'reports.settlement.get',
      choice:
        'Gives a link that is good for 15 minutes. The file is CSV with a head line; `size` is its length in bytes, as a string.',
    },
  ],
};
