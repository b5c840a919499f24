import type { WebhookEffect } from '../../../../sandbox/trouble/webhook-faults/fault-options.js';
import type { WebhookFault } from '../../../../sandbox/webhooks/delivery/delivery-fault.js';
import { spanOf } from '../../../parts/values/format.js';

type Trouble = Partial<Pick<WebhookFault, WebhookEffect>>;

/** Troubles of a delivery, by the words of the page. */
export const TROUBLES: readonly (readonly [name: string, trouble: Trouble])[] = [
  ['wrong signature', { signature: 'wrong' }],
  ['no signature', { signature: 'missing' }],
  ['signed with another secret', { signature: 'other_secret' }],
  ['malformed signature', { signature: 'malformed' }],
  ['stale: signed 10 minutes ago', { timestamp: 'stale' }],
  ['signed 10 minutes in the future', { timestamp: 'future' }],
  ['twice', { duplicate: 1 }],
  ['late: 30 s of the clock', { delay: 30_000 }],
  ['lost', { drop: true }],
  ['reordered: the next one overtakes it', { reorder: true }],
  ['body changed after signing', { body: 'changed' }],
  ['body written anew after signing', { body: 'reserialized' }],
  ['body cut off', { body: 'truncated' }],
  ['a kind that you do not know', { sentAs: 'loan.repaid' }],
  ['another content type', { contentType: 'text/plain' }],
];

/** Their places in the list, as a form has them. */
export const CHOICES = TROUBLES.map(([name], place) => [String(place), name] as const);

/** Each effect is in a trouble. */
const EFFECTS = [...new Set(TROUBLES.flatMap(([, trouble]) => Object.keys(trouble) as WebhookEffect[]))];

/** The effect of a bad webhook, in the words of the list where they fit. */
export function troubleOf(fault: WebhookFault): string {
  const effects = EFFECTS.filter((name) => fault[name] !== undefined && fault[name] !== false);
  const told = effects.map((name) => {
    const known = TROUBLES.find(([, trouble]) => trouble[name] === fault[name]);
    if (known !== undefined) return known[0];
    return name === 'delay' ? `late: ${spanOf(Number(fault.delay))} of the clock` : `${name} ${fault[name]}`;
  });
  return told.join(', ');
}

/** Which attempts a bad webhook strikes. */
export function aimOf({ kind, webhookId, eventId, probability }: WebhookFault): string {
  const parts = [kind ?? 'any kind', webhookId ?? 'any webhook', eventId, probability && `1 in ${1 / probability}`];
  return parts.filter(Boolean).join(' · ');
}
