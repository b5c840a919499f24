/** What is known of a request when its head has arrived. */
export interface RequestHead {
  readonly method: string;
  /** Path and query exactly as received: they are signed to the byte. */
  readonly target: string;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
}

/** A request's body once it has arrived. `broken`: the sender went away in the middle. */
export type ReceivedBody =
  | { readonly kind: 'complete'; readonly bytes: Uint8Array }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'broken' };

/** The most the service reads of one body, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** One HTTP answer. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Statuses whose answers have no body. */
export const BODILESS: readonly number[] = [204, 205, 304];

/** What becomes of a request: an answer, the first half of one, one that trickles, a lost connection, or nothing at all. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: WireAnswer }
  | { readonly kind: 'cut'; readonly answer: WireAnswer }
  | { readonly kind: 'slow'; readonly answer: WireAnswer; readonly bytesPerSecond: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'silence' };

/** Half of a body's bytes: what a connection that breaks in the middle has delivered. */
export function firstHalf(body: string): Uint8Array {
  const bytes = Buffer.from(body);
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}

/** What becomes of a request that has been judged, and how many milliseconds from now. */
export interface Reply {
  readonly outcome: Outcome;
  readonly delay: number;
}
