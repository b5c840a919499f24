/**
 * Takes the requests out of the bytes of one connection: many may come in one chunk, and one in many chunks. It costs
 * little: the client is what is measured.
 */
export class RequestReader {
  #bytes: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
  }

  /** The head of the next request; undefined while none has come whole. */
  next(): string | undefined {
    const bytes = this.#bytes;
    const headEnd = bytes.indexOf('\r\n\r\n');
    if (headEnd < 0) return undefined;
    const head = bytes.toString('latin1', 0, headEnd);
    const end = endOfRequest(bytes, head, headEnd + 4);
    if (end === undefined) return undefined;
    this.#bytes = bytes.subarray(end);
    return head;
  }
}

/** Undefined while the body is not complete. No client here sends a body in chunks. */
function endOfRequest(bytes: Buffer, head: string, bodyStart: number): number | undefined {
  if (head.startsWith('GET ')) return bodyStart;
  const [, length = '0'] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  const end = bodyStart + Number(length);
  return end <= bytes.length ? end : undefined;
}
