import { isCount } from '../../../util/options.js';
import type { JournalEntry } from '../../service/journal/journal.js';
import { filtered, type JournalFilter } from '../../service/journal/journal-filter.js';
import type { DrivenService } from '../service/driven.js';
import { detailsOf, type RequestDetails } from './details.js';
import { expectingControls, type SandboxExpecting } from './expecting.js';
import { type ReplayOptions, replay } from './replay.js';
import { type SendOptions, type SendResult, send } from './send.js';

/** `sandbox.requests`: the requests of the journal. */
export interface SandboxRequests extends SandboxExpecting {
  /**
   * Returns the entries of the journal that fit, oldest first. A reader that follows gives `after`,
   * the `seq` of the last entry that it has.
   *
   * @throws TypeError for an unknown or wrong member of the filter.
   */
  list(filter?: JournalFilter): JournalEntry[];
  /**
   * Returns a request of the journal by its `seq`: with head and body of request and answer, its
   * replays and its effects. These need the option `inspect`: the newest 1,000 requests have them,
   * 16 kB of each body, 16 MB in all. Secrets and one-time passwords are masked. Undefined for a
   * request that is not there.
   *
   * @param seq `seq` of the request.
   */
  get(seq: number): RequestDetails | undefined;
  /** Drops all requests with their details, and the timeline. `seq` continues to rise. */
  clear(): void;
  /**
   * Sends a request of the journal once more, signed anew with a new nonce. Needs the option
   * `inspect`. Returns the new request, whose `cause` is the earlier one, as `get` does. It does
   * not wait for a latency.
   *
   * @param seq `seq` of the request.
   * @throws TypeError for an unknown or wrong option. Error for a request that is not there, or
   *   whose body is not kept as a whole.
   */
  replay(seq: number, options?: ReplayOptions): Promise<RequestDetails>;
  /**
   * Signs a request with a key of the sandbox, and lets the service answer it as every other: with
   * faults, idempotency and an entry in the journal. It takes no nonce: clients that use the key go
   * on. It does not wait for a latency.
   *
   * @throws TypeError for an unknown or wrong option, Error for an unknown API key.
   */
  send(options: SendOptions): Promise<SendResult>;
}

export function requestControls(service: DrivenService): SandboxRequests {
  const { journal, state } = service;
  const find = (seq: number): JournalEntry | undefined => journal.entries.find((entry) => entry.seq === seq);
  return {
    list: (filter = {}) => filtered('requests.list', journal.entries, filter),
    get(seq) {
      const entry = find(seq);
      return entry === undefined ? undefined : detailsOf(service, entry);
    },
    clear() {
      journal.clear();
      state.timeline.clear();
    },
    async replay(seq, options = {}) {
      if (!isCount(seq, 1)) throw new TypeError('requests.replay: seq must be a whole number of 1 or more');
      const entry = find(seq);
      if (entry === undefined) throw new Error(`requests.replay: there is no request ${seq} in the journal`);
      return detailsOf(service, await replay(service, entry, options));
    },
    send: (options) => send(service, options),
    ...expectingControls(service),
  };
}
