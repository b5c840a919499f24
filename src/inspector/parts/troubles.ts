import type { Fault } from '../../sandbox/trouble/faults/faults.js';
import type { OutcomeAhead } from '../../sandbox/trouble/settings/outcomes.js';
import type { WebhookFault } from '../../sandbox/webhooks/delivery/delivery-fault.js';
import { type Reading, useReading } from './hooks.js';
import { spanOf } from './values/format.js';

/** A fault or outcome that applies to later requests. */
export interface Trouble {
  readonly collection: 'faults' | 'outcomes' | 'webhooks/faults';
  readonly id: string;
  /** What goes wrong. */
  readonly what: string;
  /** The requests or deliveries that it applies to. */
  readonly target: string;
  readonly applied: number;
  readonly left: number | 'always';
  /** When it was added, by the machine's clock. */
  readonly added?: number | undefined;
  /** Moments by the sandbox's clock. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** Everything that runs, as the header, the faults and the webhooks show it. */
interface Troubles {
  /** Faults first. Empty until all is read. */
  readonly troubles: readonly Trouble[];
  readonly isRead: boolean;
  /** The reading that is not there yet, or was refused. */
  readonly unread: Reading<unknown> | undefined;
}

export function useTroubles(): Troubles {
  const faults = useReading<readonly Fault[]>('faults');
  const outcomes = useReading<readonly OutcomeAhead[]>('outcomes');
  const webhooks = useReading<readonly WebhookFault[]>('webhooks/faults');
  const readings = [faults, outcomes, webhooks];
  const isRead = readings.every(({ data }) => data !== undefined);
  const troubles = [
    ...(faults.data ?? []).map(faultTrouble),
    ...(outcomes.data ?? []).map(outcomeTrouble),
    ...(webhooks.data ?? []).map(webhookTrouble),
  ];
  const unread = readings.find(({ data, problem }) => data === undefined || problem !== undefined);
  return { troubles: isRead ? troubles : [], isRead, unread };
}

function faultTrouble(one: Fault): Trouble {
  const { id, fault, when, code, retryAfterSeconds, bytesPerSecond, operation, match, probability } = one;
  const what = [
    fault,
    when && `${when} the effect`,
    code,
    retryAfterSeconds !== undefined && `Retry-After ${retryAfterSeconds}`,
    bytesPerSecond !== undefined && `${bytesPerSecond} bytes/s`,
  ];
  const target = [operation ?? 'every request', membersText({ ...match, probability })];
  const { applied, left, real: added, from, until } = one;
  return { collection: 'faults', id, what: joined(what), target: joined(target), applied, left, added, from, until };
}

function outcomeTrouble(one: OutcomeAhead): Trouble {
  const { id, operation, outcome, account, ms, reason, applied, left, real: added } = one;
  const what = joined([outcome, membersText({ ms, reason })]);
  const target = joined([`effects of ${operation}`, membersText({ account })]);
  return { collection: 'outcomes', id, what, target, applied, left, added };
}

function webhookTrouble(one: WebhookFault): Trouble {
  const { id, applied, left, kind, webhookId, eventId, probability, delay, ...effects } = one;
  const target = joined(['deliveries', membersText({ kind, webhookId, eventId, probability })]);
  const what = membersText({ delay: delay && spanOf(delay), ...effects });
  return { collection: 'webhooks/faults', id, what, target, applied, left };
}

const joined = (parts: readonly unknown[]): string => parts.filter(Boolean).join(' · ');

/** For example `account AA3 · ms 500`. */
const membersText = (members: object): string =>
  joined(Object.entries(members).map(([name, value]) => value !== undefined && `${name} ${value}`));
