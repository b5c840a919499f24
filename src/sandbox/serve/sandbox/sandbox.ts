import type { Transport } from '../../../transport/transport.js';
import type { PlatformRequest, PlatformResponse } from '../../../util/platform.js';
import type { SandboxCredentials } from '../../core/keys/api-keys.js';
import type { SandboxControls } from '../../drive/controls.js';
import type { SandboxSnapshot } from '../../drive/snapshot/snapshot.js';
import type { SandboxFixtures } from '../../kinds/seed/fixtures.js';
import type { JournalEntry } from '../../service/journal/journal.js';
import type { FaultOptions } from '../../trouble/faults/fault-options.js';
import type { ListeningAddress, ListenOptions } from './listen-options.js';
import type { SandboxWorlds } from './world-controls.js';

/** The members of a sandbox that serve it. A world has none of them. */
type ServingMember = 'listen' | 'fetch' | 'transport' | 'close' | typeof Symbol.asyncDispose;

/** What the control plane drives: a sandbox, or the service of a world. */
export type DrivenSandbox = Omit<Sandbox, ServingMember>;

/** The service of the API on this machine: stateful, in memory, strict. */
export interface Sandbox extends SandboxControls {
  /** The credentials of a client: `new PartnerClient({ baseUrl: url, ...sandbox.credentials })`. */
  readonly credentials: SandboxCredentials;
  /** Ids and names of what a fresh sandbox holds. */
  readonly fixtures: SandboxFixtures;
  /** Services beside this one, for tests that run in parallel. */
  readonly worlds: SandboxWorlds;
  /** The newest requests that it has judged (`journalLimit`), oldest first. The array is live. */
  readonly journal: readonly JournalEntry[];
  /**
   * Makes requests go wrong, as `faults.add` does. Returns the function that takes the fault back.
   *
   * @throws TypeError for an unknown or wrong option.
   */
  fail(options: FaultOptions): () => void;
  /** The same as `clock.advance`. */
  advance(ms: number): void;
  /**
   * Returns the whole state, without faults and journal: plain JSON data, for `createSandbox({
   * snapshot })`. It holds the credentials and the webhooks' signing secrets.
   */
  snapshot(): SandboxSnapshot;
  /**
   * Restores everything as it was when the sandbox was made, from the same seed and options, or
   * from the same snapshot: data, fixtures, credentials, the ids to come, the clock. Journal,
   * timeline, idempotency keys, faults and deliveries are empty. What stays: the last nonce of each
   * API key, also of one that is issued again later, so that clients go on; and the checkpoints.
   *
   * Answers on their way are sent. Deliveries under way are cut, and leave no trace.
   */
  reset(): void;
  /**
   * Restores a state: a snapshot with the same seed, or the checkpoint of this name. The
   * clock goes back to its moment, and runs or stands as it does now. New ids differ from all that
   * were given out before. Journal, faults, latency and checkpoints stay, and so does the last
   * nonce of each API key. Deliveries under way are cut; one that the state has as pending goes out
   * again.
   *
   * @param snapshot A snapshot, or the name of a checkpoint.
   * @throws TypeError that names what is wrong in a snapshot, Error for an unknown name. Nothing
   * has changed then.
   */
  restore(snapshot: SandboxSnapshot | string): void;
  /**
   * Serves HTTP. Programs in any language can drive the sandbox there too, unsigned:
   * `sandbox.a.b(x, y)` is `POST /_sandbox/a/b` with the JSON array `[x, y]`, a property is read
   * with `GET /_sandbox/a/b`. Every program that reaches the port controls the sandbox; browser
   * pages of other origins do not.
   *
   * Rejects if the port is taken, if the sandbox listens already, and if it is closed.
   */
  listen(options?: ListenOptions): Promise<ListeningAddress>;
  /**
   * The same service as a function like `fetch`, for example behind MSW's `http.all`. It reads only
   * path and query of the URL. A lost connection is a `Response.error()`, which MSW turns into a
   * failed fetch. Rejects with the request's reason if it is aborted.
   */
  fetch(request: PlatformRequest): Promise<PlatformResponse>;
  /**
   * The same service as a transport of clients in this process: no port, no `fetch`. Give such a
   * client any `baseUrl`. No call waits for a timer but for latencies, slow answers and back-off,
   * so fake timers may replace all of them. Each call gives the same transport.
   */
  transport(): Transport;
  /** Ends everything, requests that wait for an answer too. May be called again. */
  close(): Promise<void>;
  /** `close`, at the end of a block: `await using sandbox = createSandbox()`. */
  [Symbol.asyncDispose](): Promise<void>;
}
