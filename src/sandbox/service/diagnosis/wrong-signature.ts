import type { ApiKey } from '../../core/keys/api-keys.js';
import type { RequestHead } from '../../core/request/messages.js';

/** A request with a wrong signature, and the data that the sandbox has about its sender. */
export interface WrongSignature {
  readonly head: RequestHead;
  readonly nonce: string;
  readonly body: Uint8Array;
  /** Value of `API-Sign`. */
  readonly received: string;
  /** The right signature, as bytes. */
  readonly expected: Buffer;
  /** SHA-256 of nonce and body. */
  readonly digest: Buffer;
  readonly key: ApiKey;
  /** All keys of the partner. */
  readonly keys: readonly ApiKey[];
}

/** A mistake that a client may have made. */
export interface Mistake {
  /** A clause that starts with `you`. */
  readonly clause: string;
  /** True if it is also tried in combination with another mistake. */
  readonly isCommon?: boolean;
}

/** Bytes or text that are hashed in this order. Text is UTF-8. */
export type Parts = readonly (string | Uint8Array)[];

/**
 * Cost limits of a diagnosis, which stops at either: operations of about 3 µs, bytes of about 1 ns.
 */
const MAX_OPERATIONS = 400;
const MAX_BYTES = 512 * 1024;

/** Bounds the work of one diagnosis. */
export class Budget {
  #operations = MAX_OPERATIONS;
  #bytes = MAX_BYTES;

  /** Returns false if the parts would exceed the limits. */
  allows(parts: Parts): boolean {
    let bytes = 0;
    for (const part of parts) bytes += part.length;
    if (this.#operations < 1 || this.#bytes < bytes) return false;
    this.#operations -= 1;
    this.#bytes -= bytes;
    return true;
  }
}
