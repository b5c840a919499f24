import { all } from '../../core/kind/find.js';
import { accounts } from '../../kinds/accounts/accounts.js';
import type { JournalEntry } from '../../service/journal/journal.js';
import type { DrivenService } from '../service/driven.js';
import { maskerOf, textOf } from './details.js';

/**
 * Returns the function that finds the requests with all words of `text`: in their members, in the
 * holders of their accounts, and in their bodies as `requests.get` shows them, without secrets.
 */
export function searchFor(service: DrivenService, text: string): (entry: JournalEntry) => boolean {
  const words = text.toLowerCase().split(/\s+/);
  const holders = new Map(all(service.state, accounts).map(({ id, record }) => [id, record]));
  const masked = maskerOf(service);
  return (entry) => {
    const { path, key, instance, account = '', subject, operation, apiKey, nonce, reason } = entry;
    const { external_reference: reference, name } = holders.get(account) ?? {};
    const members = [path, key, instance, account, subject, operation, apiKey, nonce, reason, reference, name];
    const missing = missingFrom(members, words);
    if (missing.length === 0) return true;
    const { body, answer } = service.journal.exchanges?.get(entry.seq) ?? {};
    const bodies = [body, answer?.body].map((kept) => (kept && textOf(kept)) ?? '');
    // Masking is slow, and few bodies contain the words.
    return missingFrom(bodies, missing).length === 0 && missingFrom(bodies.map(masked), missing).length === 0;
  };
}

/** Returns the words that none of the texts contains, in any letter case. */
function missingFrom(texts: readonly (string | undefined)[], words: readonly string[]): readonly string[] {
  const lower = texts.join('\n').toLowerCase();
  return words.filter((word) => !lower.includes(word));
}
