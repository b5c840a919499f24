import * as z from 'zod/mini';
import type { GroupOf } from '../../core/kind/group.js';
import type { WebhookHost } from '../dispatcher.js';
import type { InboxMessage } from '../inbox/inbox.js';
import {
  type InboxAnswer,
  type InboxAnswering,
  type InboxFilter,
  inboxAnswer,
  inboxFilter,
  inboxName,
} from '../inbox/inbox-options.js';

/** `sandbox.inbox`: receivers inside the sandbox, so a first try needs no server. */
export interface SandboxInbox {
  /**
   * Returns the URL of an inbox, to register a webhook with. Each name is an inbox: 1 to 64
   * letters, digits, `-` or `_`. While the sandbox does not listen, only the sandbox itself can
   * reach the URL.
   *
   * @param name Name of the inbox. Default `default`.
   */
  url(name?: string): string;
  /** Returns the newest 1,000 messages, oldest first, each with the result of its verification. */
  list(filter?: InboxFilter): InboxMessage[];
  /** Sets how inboxes respond from now on. */
  answer(options: InboxAnswer): void;
  /** Returns the configured responses. All other inboxes respond with 200 immediately. */
  answers(): InboxAnswering[];
  /** Removes all messages and all configured responses. */
  clear(): void;
}

/** Name of the inbox if none is given. */
const DEFAULT_NAME = 'default';

export const inbox: GroupOf<WebhookHost, SandboxInbox> = {
  name: 'inbox',
  methods: {
    url: {
      get: 'url',
      takes: { name: z.optional(inboxName) },
      run: ({ webhooks }, name = DEFAULT_NAME) => webhooks.inbox.url(name),
    },
    list: {
      id: 'id',
      takes: { filter: z.optional(inboxFilter) },
      run: ({ webhooks }, filter = {}) => webhooks.inbox.list(filter),
    },
    answer: { takes: { options: inboxAnswer }, run: ({ webhooks }, options) => webhooks.inbox.answer(options) },
    answers: { get: 'answers', run: ({ webhooks }) => webhooks.inbox.answers() },
    clear: { run: ({ webhooks }) => webhooks.inbox.clear() },
  },
};
