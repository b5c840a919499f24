/**
 * Takes the requests out of the bytes of one connection: many may come in one chunk, and one in many chunks. Written to cost little: the
 * client is what is measured.
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

/** Undefined while the body is not complete. */
function endOfRequest(bytes: Buffer, head: string, bodyStart: number): number | undefined {
  if (head.startsWith('GET ')) return bodyStart;
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return endOfChunks(bytes, bodyStart);
  const [, length = '0'] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  const end = bodyStart + Number(length);
  return end <= bytes.length ? end : undefined;
}

/** Without trailers, which no client here sends. */
function endOfChunks(bytes: Buffer, bodyStart: number): number | undefined {
  let at = bodyStart;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    at = lineEnd + 2 + size + 2;
    if (at > bytes.length) return undefined;
    if (size === 0) return at;
  }
}
