import type { InboxMessage } from '../../../../sandbox/webhooks/inbox/inbox.js';
import { useReading } from '../../../parts/hooks.js';
import { read } from '../../../wire/api.js';

/** Messages that the page keeps, as the sandbox does. */
const LIMIT = 1_000;

/** Reads the last of the known messages again, and what follows it: without it all have gone. */
async function readOn(path: string, known: readonly InboxMessage[] = []): Promise<readonly InboxMessage[]> {
  const [last] = known;
  const found = await read<InboxMessage[]>(path, { after: Math.max(0, (last?.seq ?? 0) - 1) });
  const isSame = last !== undefined && found[0]?.id === last.id;
  const fresh = (isSame ? found.slice(1) : found).reverse();
  return [...fresh, ...(isSame ? known : [])].slice(0, LIMIT);
}

/** Messages of the inboxes, newest first. */
export function useMessages(): { readonly messages: readonly InboxMessage[]; readonly problem: string | undefined } {
  const { data: messages = [], problem } = useReading('inbox', readOn);
  return { messages, problem };
}
