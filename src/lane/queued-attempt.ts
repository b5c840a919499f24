import type { Slot } from '../transport/connections.js';
import type { Linked } from '../util/linked-list.js';
import type { Pacer, Start } from './pacer.js';
import type { Turn } from './turn.js';

/**
 * How an attempt left its lane:
 *
 * - `accepted`: the service has answered, and not with 401.
 * - `race`: 401, and a later nonce of the same API key had been issued by then.
 * - `refused`: 401, and nothing had overtaken it.
 * - `lost`: no whole answer.
 * - `unsent`: no byte left.
 */
export type AttemptEnd = 'accepted' | 'race' | 'refused' | 'lost' | 'unsent';

/** One attempt that wants to be sent. Each method of it returns before anything else of the lane happens. */
export interface QueuedAttempt extends Linked<QueuedAttempt> {
  readonly turn: Turn;
  /** A write that must not be repeated: it gets a connection that nothing is wrong with. */
  readonly notRepeatable: boolean;
  readonly withBody: boolean;
  /** How many things besides the API key may get it a 401: a read has none, a write one, an OTP is another. */
  readonly otherReasons: number;
  /** The lane's own notes: when it came, and what it has while it is in flight. */
  queuedAt: number;
  flight: Flight | undefined;
  /** Draws the nonce, signs and sends; a promise while nonce source or signer take their time. It never throws or rejects. */
  begin(slot: Slot): void | PromiseLike<void>;
  /** No connection could be opened. */
  failUnreachable(error: unknown): void;
  /** What it was answered. */
  readonly answer: Answer;
  /** The service no longer takes the API key: it gave this answer to another attempt that nothing could overtake. */
  failRefused(answer: Answer): void;
}

/** An answer as it came. */
export interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly Uint8Array[];
}

/** What a lane notes of an attempt in flight. */
export interface Flight {
  readonly slot: Slot;
  readonly pacer: Pacer;
  /** Undefined until its bytes are handed to the slot. */
  start: Start | undefined;
}
