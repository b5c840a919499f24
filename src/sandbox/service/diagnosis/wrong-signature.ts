import type { ApiKey } from '../../core/keys/api-keys.js';
import type { RequestHead } from '../../core/request/messages.js';

/** A request whose signature does not fit, and what the sandbox knows about its sender. */
export interface WrongSignature {
  readonly head: RequestHead;
  readonly nonce: string;
  readonly body: Uint8Array;
  /** `API-Sign`. */
  readonly received: string;
  /** The right signature, as bytes. */
  readonly expected: Buffer;
  /** SHA-256 of nonce and body. */
  readonly digest: Buffer;
  readonly key: ApiKey;
  /** All keys of the partner. */
  readonly keys: readonly ApiKey[];
}

/** One thing that a client may have done otherwise. */
export interface Mistake {
  /** A clause that begins with `you`. */
  readonly clause: string;
  /** True if it is also looked for beside others. */
  readonly isCommon?: boolean;
}

/** Bytes or text that are hashed one after the other. Text is UTF-8. */
export type Parts = readonly (string | Uint8Array)[];

/** The cost limit of a diagnosis: operations of about 3 µs, and bytes of about 1 ns. */
const MAX_OPERATIONS = 400;
const MAX_BYTES = 512 * 1024;

/** Bounds the work of one diagnosis. */
export class Budget {
  #operations = MAX_OPERATIONS;
  #bytes = MAX_BYTES;

  /** Returns false if the parts would cost more than is left. */
  allows(parts: Parts): boolean {
    let bytes = 0;
    for (const part of parts) bytes += part.length;
    if (this.#operations < 1 || this.#bytes < bytes) return false;
    this.#operations -= 1;
    this.#bytes -= bytes;
    return true;
  }
}
