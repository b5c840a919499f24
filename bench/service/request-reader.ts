/**
 * Takes the requests out of the bytes of one connection: many may come in one chunk, and one in many chunks. Written to cost little: the
 * client is what is measured.
 */
export class RequestReader {
  #rest: Buffer = Buffer.alloc(0);

  /** The heads of the requests that have come whole. */
  read(chunk: Buffer): string[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const heads: string[] = [];
    let at = 0;
    for (;;) {
      const headEnd = bytes.indexOf('\r\n\r\n', at);
      if (headEnd < 0) break;
      const head = bytes.toString('latin1', at, headEnd);
      const end = endOfRequest(bytes, head, headEnd + 4);
      if (end === undefined) break;
      heads.push(head);
      at = end;
    }
    this.#rest = bytes.subarray(at);
    return heads;
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
