import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { InboxMessage } from '../../../../sandbox/webhooks/inbox/inbox.js';
import { read } from '../../../wire/api.js';

/**
 * Time in ms between two looks at what has arrived. Anyone may send to an inbox, so no entry tells
 * of it.
 */
const LOOK_MS = 700;

/** Messages that the page keeps, as the sandbox does. */
const LIMIT = 1_000;

/** Messages of the inboxes, newest first. Only the last of the known ones is read again. */
export function useMessages(): {
  readonly messages: readonly InboxMessage[];
  readonly problem: string | undefined;
  forget(): void;
} {
  const [messages, setMessages] = useState<readonly InboxMessage[]>([]);
  const [problem, setProblem] = useState<string>();
  const known = useRef<readonly InboxMessage[]>([]);
  const keep = useCallback((next: readonly InboxMessage[]) => {
    known.current = next;
    setMessages(next);
  }, []);
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = async (): Promise<void> => {
      try {
        const [last] = known.current;
        const found = await read<InboxMessage[]>('inbox', { after: Math.max(0, (last?.seq ?? 0) - 1) });
        if (isOver) return;
        if (last === undefined || found[0]?.id === last.id) {
          if (found.length > (last === undefined ? 0 : 1)) keep(joined(found, known.current));
        } else if (known.current[0] === last) {
          // The last one is there no longer: the inboxes were emptied.
          keep([]);
          if (found.length > 0) keep(joined(found, []));
        }
        setProblem(undefined);
      } catch (error) {
        if (!isOver) setProblem((error as Error).message);
      }
      if (!isOver) timer = setTimeout(look, LOOK_MS);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [keep]);
  return { messages, problem, forget: useCallback(() => keep([]), [keep]) };
}

/** `found`: oldest first, `known`: newest first. */
function joined(found: readonly InboxMessage[], known: readonly InboxMessage[]): InboxMessage[] {
  const fresh = found.filter(({ seq }) => seq > (known[0]?.seq ?? 0)).reverse();
  return [...fresh, ...known].slice(0, LIMIT);
}
