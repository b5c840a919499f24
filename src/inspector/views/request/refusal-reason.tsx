import type { JournalEntry } from '../../../sandbox/service/journal/journal.js';

/** Advice for when none of the usual mistakes was made. */
const UNFOUND: Readonly<Record<string, string>> = {
  bad_signature:
    'None of the usual mistakes makes this signature. Most often the secret is that of another API key, or it has a character too many.',
  unknown_key: 'The view Keys lists all API keys of this sandbox.',
};

/** Why a request was refused with 401, first of all that is told of it. */
export function RefusalReason({ likely, verdict, status }: JournalEntry) {
  if (likely === undefined && status !== 401) return null;
  const reason = likely ?? UNFOUND[verdict];
  if (reason === undefined) return null;
  return (
    <p class="likely">
      <strong>{likely === undefined ? 'No usual mistake' : 'Likely mistake'}:</strong> {reason}
    </p>
  );
}
