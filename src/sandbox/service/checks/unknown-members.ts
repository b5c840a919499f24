import { excerpt } from '../../core/basics/excerpt.js';
import { unknownKinds } from '../../webhooks/delivery/subscriptions.js';
import type { JournalEntry } from '../journal/journal.js';
import type { ServiceParts } from '../parts.js';
import { type CheckEvidence, type CheckRule, findingOf, nameOf, quoted } from './check.js';

/** Members and event kinds that the API does not have. */
export const UNKNOWN_MEMBERS: CheckRule = {
  id: 'unknown_members',
  title: 'No request has a member or kind of event that the API does not know',
  failure: ['unknown member or kind of event was used', 'unknown members or kinds of events were used'],
  meaning:
    'An unknown member, parameter or kind of event is probably misspelt. The sandbox rejects it, or accepts it where the API does not name all members. The service may silently ignore it.',
  judge({ requests, isKnown, service }) {
    const ofRequests = requests.flatMap(unknownIn);
    const named = new Set(requests.flatMap(({ warnings = [] }) => warnings.map(({ message }) => message)));
    return findingOf(isKnown, [...ofRequests, ...unknownKindsOf(service, named)]);
  },
};

function unknownIn(entry: JournalEntry): CheckEvidence[] {
  const refused = entry.causes.filter(({ message }) => /^is not (known$|a known )/.test(message));
  const taken = (entry.warnings ?? []).map(({ field, message }) => `${field} ${message}`);
  const texts = [...refused.map(({ field }) => field), ...taken];
  return texts.map((text) => ({ text: sentence(`${nameOf(entry)}: ${quoted(text)}`), seq: entry.seq }));
}

/** Returns unknown kinds of subscriptions made by a control method, which no request contains. */
function unknownKindsOf({ webhooks }: ServiceParts, named: ReadonlySet<string>): CheckEvidence[] {
  return webhooks.subscriptions.list().flatMap(({ subscription: { id, events } }) =>
    unknownKinds(events)
      .filter(({ message }) => !named.has(excerpt(message)))
      .map(({ message }) => ({
        text: sentence(`The webhook ${id}: ${quoted(message)}`),
        resource: { kind: 'webhooks', id },
      })),
  );
}

const sentence = (text: string): string => (text.endsWith('?') ? text : `${text}.`);
