import * as z from 'zod/mini';
import { countAboveZero } from '../../core/basics/checked.js';
import type { GroupOf } from '../../core/kind/group.js';
import type { JournalEntry } from '../../service/journal/journal.js';
import { filtered, type JournalFilter, journalFilter } from '../../service/journal/journal-filter.js';
import type { DrivenService } from '../service/driven.js';
import { detailsOf, type RequestDetails } from './details.js';
import { expecting, type SandboxExpecting } from './expecting.js';
import { searchFor } from './search.js';
import {
  type ReplayOptions,
  replay,
  replayOptions,
  type SendOptions,
  type SendResult,
  send,
  sendOptions,
} from './send.js';

/** `sandbox.requests`: the requests of the journal. */
export interface SandboxRequests extends SandboxExpecting {
  /** Returns the entries that match, oldest first. With `after` it follows the journal. */
  list(filter?: JournalFilter): JournalEntry[];
  /**
   * Returns a request of the journal by its `seq`: with headers and body of request and response,
   * its replays and its effects. These need the option `inspect`. They are stored for the newest
   * 1,000 requests, with 16 kB of each body and 16 MB in total. Secrets and one-time passwords are
   * masked. Undefined for an unknown request.
   *
   * @param seq `seq` of the request.
   */
  get(seq: number): RequestDetails | undefined;
  /** Drops all requests with their details, and the timeline. `seq` does not restart. */
  clear(): void;
  /**
   * Sends a request of the journal again, signed with a new nonce. Needs the option `inspect`.
   * Returns the new request, as `get` does; its `cause` is the earlier one. Does not wait for a
   * latency.
   *
   * @param seq `seq` of the request.
   * @throws Error for an unknown request, and for one whose body is not stored completely.
   */
  replay(seq: number, options?: ReplayOptions): Promise<RequestDetails>;
  /**
   * Signs a request with an API key of the sandbox, and lets the service process it like any other:
   * with faults, idempotency and an entry in the journal. It uses up no nonce of clients with the
   * same API key. Does not wait for a latency.
   */
  send(options: SendOptions): Promise<SendResult>;
}

export const requests: GroupOf<DrivenService, SandboxRequests> = {
  name: 'requests',
  methods: {
    list: {
      takes: { filter: z.optional(journalFilter) },
      run(service, { q, ...filter } = {}) {
        const isFound = q === undefined ? () => true : searchFor(service, q);
        return filtered('requests.list', service.journal.entries, filter, isFound);
      },
    },
    get: {
      get: '',
      takes: { seq: z.number() },
      run(service, seq) {
        const entry = entryOf(service, seq);
        return entry === undefined ? undefined : detailsOf(service, entry);
      },
    },
    clear: {
      run({ journal, state }) {
        journal.clear();
        state.timeline.clear();
      },
    },
    replay: {
      takes: { seq: countAboveZero, options: z.optional(replayOptions) },
      isAsync: true,
      async run(service, seq, options = {}) {
        const entry = entryOf(service, seq);
        if (entry === undefined) throw new Error(`requests.replay: there is no request ${seq} in the journal`);
        return detailsOf(service, await replay(service, entry, options));
      },
    },
    send: { takes: { options: sendOptions }, isAsync: true, run: send },
    ...expecting,
  },
};

const entryOf = ({ journal }: DrivenService, seq: number): JournalEntry | undefined =>
  journal.entries.find((entry) => entry.seq === seq);
