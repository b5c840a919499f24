import type { Transport } from '../../../transport/transport.js';
import type { PlatformRequest, PlatformResponse } from '../../../util/platform.js';
import type { SandboxCredentials } from '../../core/keys/api-keys.js';
import type { SandboxControls } from '../../drive/controls.js';
import type { SandboxSnapshot } from '../../drive/snapshot/snapshot-schema.js';
import type { SandboxFixtures } from '../../kinds/seed/fixtures.js';
import type { JournalEntry } from '../../service/journal/journal.js';
import type { FailOptions } from '../../trouble/trouble.js';
import type { ListeningAddress, ListenOptions } from './listen-options.js';

/** The service of the API on this machine: stateful, in memory, strict. */
export interface Sandbox extends SandboxControls {
  /** The credentials of a client: `new PartnerClient({ baseUrl: url, ...sandbox.credentials })`. */
  readonly credentials: SandboxCredentials;
  /** Ids and names of the data in a fresh sandbox. */
  readonly fixtures: SandboxFixtures;
  /** The newest processed requests (`journalLimit`), oldest first. The array is live. */
  readonly journal: readonly JournalEntry[];
  /**
   * Makes requests fail, as `troubles.add` does. Returns a function that removes the fault.
   *
   * @throws TypeError for an unknown or wrong option.
   */
  fail(options: FailOptions): () => void;
  /** The same as `clock.advance`. */
  advance(ms: number): void;
  /**
   * Returns the whole state, without troubles and journal: plain JSON data, for `createSandbox({
   * snapshot })`. It contains the credentials and the webhooks' signing secrets.
   */
  snapshot(): SandboxSnapshot;
  /**
   * Restores everything as it was when the sandbox was created, from the same seed and options, or
   * from the same snapshot: data, fixtures, credentials, later ids, the clock. Journal, timeline,
   * idempotency keys and deliveries are empty. Troubles and settings are those of `createSandbox`.
   * Each API key keeps its last nonce, even one that is issued again later, so that clients can
   * continue. Responses in progress are sent. Deliveries in progress are cut and not recorded.
   */
  reset(): void;
  /**
   * Restores the state of a snapshot with the same seed. The clock goes back to the time of the
   * state, and runs or stands still as before the call. New ids differ from all that were issued
   * before. Journal, troubles, settings and the last nonce of each API key stay. Deliveries in
   * progress are cut; deliveries that are pending in the state are sent again.
   *
   * @throws TypeError that names what is wrong in the snapshot. Nothing has changed then.
   */
  restore(snapshot: SandboxSnapshot): void;
  /**
   * Serves HTTP. Programs in any language can drive the sandbox there too, unsigned:
   * `sandbox.a.b(x, y)` is `POST /_sandbox/a/b` with the JSON array `[x, y]`, and `GET
   * /_sandbox/a/b` reads a property. Every program that can reach the port controls the sandbox;
   * web pages of other origins do not. Rejects if the port is in use, if the sandbox listens
   * already, and if it is closed.
   */
  listen(options?: ListenOptions): Promise<ListeningAddress>;
  /**
   * Serves the same service as a function like `fetch`, for example behind MSW's `http.all`. It
   * reads only path and query of the URL. A lost connection is a `Response.error()`, which MSW
   * turns into a failed fetch. If the request is aborted, it rejects with the reason.
   */
  fetch(request: PlatformRequest): Promise<PlatformResponse>;
  /**
   * Returns the same service as a transport for clients in this process: no port, no `fetch`. Such
   * a client can have any `baseUrl`. Calls wait for timers only because of latencies, slow
   * responses and back-off, so fake timers may replace all. Each call returns the same transport.
   */
  transport(): Transport;
  /** Closes the sandbox, and ends requests that wait for a response. May be called again. */
  close(): Promise<void>;
  /** `close`, at the end of a block: `await using sandbox = createSandbox()`. */
  [Symbol.asyncDispose](): Promise<void>;
}
