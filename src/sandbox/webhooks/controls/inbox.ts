import type { Inbox, InboxMessage } from '../inbox/inbox.js';
import {
  checkInboxName,
  type InboxAnswer,
  type InboxAnswering,
  type InboxFilter,
  readInboxAnswer,
  readInboxFilter,
} from '../inbox/inbox-options.js';

/** `sandbox.inbox`: receivers inside the sandbox, so a first try needs no server. */
export interface SandboxInbox {
  /**
   * Returns the URL of an inbox, to register a webhook with. Each name is an inbox: 1 to 64
   * letters, digits, `-` or `_`. While the sandbox does not listen, only the sandbox itself can
   * reach the URL.
   *
   * @param name Name of the inbox. Default `default`.
   * @throws TypeError for a wrong name.
   */
  url(name?: string): string;
  /**
   * Returns the newest 1,000 deliveries that have arrived, oldest first, each with the result of
   * its verification.
   *
   * @throws TypeError for a wrong filter.
   */
  list(filter?: InboxFilter): InboxMessage[];
  /**
   * Sets how inboxes answer from now on.
   *
   * @throws TypeError for an unknown or wrong option.
   */
  answer(options: InboxAnswer): void;
  /** Returns the configured answers. All other inboxes answer 200 at once. */
  answers(): InboxAnswering[];
  /** Removes all messages and all configured answers. */
  clear(): void;
}

/** Name of the inbox if none is given. */
const DEFAULT_NAME = 'default';

export function inboxControls(inbox: Inbox): SandboxInbox {
  return {
    url: (name = DEFAULT_NAME) => inbox.url(checkInboxName('inbox.url', name)),
    list: (filter = {}) => inbox.list(readInboxFilter(filter)),
    answer: (options) => inbox.answer(readInboxAnswer(options)),
    answers: () => inbox.answers(),
    clear: () => inbox.clear(),
  };
}
