export interface RequestHead {
  readonly method: string;
  /** Path and query exactly as received: the signature covers every byte. */
  readonly target: string;
  /** Scheme and authority, for example `http://127.0.0.1:8420`. */
  readonly origin: string;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
  /** Names and values of all headers in turn. */
  headers(): readonly string[];
  /** `seq` of the request that it repeats. */
  readonly cause?: number | undefined;
  /** True if the sandbox itself sends it: it takes no nonce away from the key's owner. */
  readonly isOwn?: boolean | undefined;
}

/** A request's body once it has arrived. `broken`: the sender went away in the middle. */
export type ReceivedBody =
  | { readonly kind: 'complete'; readonly bytes: Uint8Array }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'broken' };

/** Longest body of a request, in bytes; a longer one is answered 413. */
export const MAX_BODY_BYTES = 1024 * 1024;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The id that the body of an error has. */
  readonly instance?: string | undefined;
}

/** An undefined body is an empty one. */
export function jsonAnswer(status: number, body: unknown): HttpAnswer {
  if (body === undefined) return { status, headers: {}, body: '' };
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

export const BODILESS: readonly number[] = [204, 205, 304];

/** A client's view: an answer, half of one, a slow one, a lost connection, or nothing. */
export type ConnectionAction =
  | { readonly kind: 'answer'; readonly answer: HttpAnswer }
  | { readonly kind: 'cut'; readonly answer: HttpAnswer }
  | { readonly kind: 'slow'; readonly answer: HttpAnswer; readonly bytesPerSecond: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'silence' };

/** A client's view of a request. */
export interface Received {
  readonly action: ConnectionAction;
  /** Time in ms after which it happens. */
  readonly delayMs: number;
  /** Aborts when the service ends: an answer on its way breaks off. Undefined: it ends with all. */
  readonly ended?: AbortSignal | undefined;
}

/** Reads a request and says what its client sees, and after how many milliseconds. */
export interface RequestReceiver {
  /** To be called when a head arrives: that is its place in order. Never rejects. */
  receive(head: RequestHead, body: Promise<ReceivedBody>): Promise<Received>;
}
