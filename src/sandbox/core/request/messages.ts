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
  /** `seq` of the request of which this one is a copy. */
  readonly cause?: number | undefined;
  /** True if the sandbox itself sends it: its nonce is not one of the API key's owner. */
  readonly isOwn?: boolean | undefined;
}

/** The body of a request after its last byte. `broken`: the client closed the connection early. */
export type ReceivedBody =
  | { readonly kind: 'complete'; readonly bytes: Uint8Array }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'broken' };

/** Maximum length of a request's body in bytes; a longer one gets 413. */
export const MAX_BODY_BYTES = 1024 * 1024;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Id in the body of an error. */
  readonly instance?: string | undefined;
}

/** An undefined body is sent as an empty one. */
export function jsonAnswer(status: number, body: unknown): HttpAnswer {
  if (body === undefined) return { status, headers: {}, body: '' };
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

export const BODILESS: readonly number[] = [204, 205, 304];

/** What the client sees: a response, half of one, a slow one, a lost connection, or nothing. */
export type ConnectionAction =
  | { readonly kind: 'answer'; readonly answer: HttpAnswer }
  | { readonly kind: 'cut'; readonly answer: HttpAnswer }
  | { readonly kind: 'slow'; readonly answer: HttpAnswer; readonly bytesPerSecond: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'silence' };

/** Reaction to a request, and its delay. */
export interface Received {
  readonly action: ConnectionAction;
  /** Time in ms until the reaction. */
  readonly delayMs: number;
}

/** Processes a request and returns the reaction that its client sees. */
export interface RequestReceiver {
  /** Must be called when the head of a request arrives, which decides its order. Never rejects. */
  receive(head: RequestHead, body: Promise<ReceivedBody>): Promise<Received>;
}
