import { printable } from '../../util/printable.js';
import type { Printer } from './printer.js';

/** One JSON object a line; `event` says what it is. */
export const jsonPrinter: Printer = {
  listening: ({ url, credentials, fixtures, webhook, state }) =>
    lineOf({ event: 'listening', url, credentials, fixtures, webhook, state }),
  request: (entry) => lineOf({ event: 'request', ...entry }),
  delivery: ({ id, webhookId, eventId, type, status, reason, nextAttemptAt, attempts }, attempt) =>
    lineOf({
      event: 'delivery',
      id,
      webhookId,
      eventId,
      type,
      status,
      reason,
      nextAttemptAt,
      attempt: { number: attempts.length, ...attempt },
    }),
  control: (call) => lineOf({ event: 'control', ...call }),
  closed: (reason) => lineOf({ event: 'closed', reason }),
};

function lineOf(value: object): string {
  return printable(JSON.stringify(value));
}
