/** The head of one HTTP/1.1 request. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** A header by its name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/** What is heard of a stream of requests. Offsets count the stream's bytes. */
export interface RequestListener {
  onStart(offset: number): void;
  onHead(head: RequestHead): void;
}

const END_OF_HEAD = '\r\n\r\n';

/** Finds the requests in what one client writes: heads and bodies with `content-length`, which is all that the SDK sends. */
export class RequestFraming {
  readonly #listener: RequestListener;
  #head = '';
  #bodyLeft = 0;
  #offset = 0;

  constructor(listener: RequestListener) {
    this.#listener = listener;
  }

  feed(chunk: Buffer): void {
    let place = 0;
    while (place < chunk.length) {
      if (this.#bodyLeft > 0) {
        const taken = Math.min(this.#bodyLeft, chunk.length - place);
        this.#bodyLeft -= taken;
        place += taken;
        continue;
      }
      if (this.#head === '') this.#listener.onStart(this.#offset + place);
      place += this.#feedHead(chunk.toString('latin1', place));
    }
    this.#offset += chunk.length;
  }

  /** Returns how much of the text belongs to the head. */
  #feedHead(text: string): number {
    const known = this.#head.length;
    const all = this.#head + text;
    const end = all.indexOf(END_OF_HEAD, Math.max(0, known - END_OF_HEAD.length));
    if (end < 0) {
      this.#head = all;
      return text.length;
    }
    this.#head = '';
    const head = parseHead(all.slice(0, end));
    if (head.headers.has('transfer-encoding')) throw new Error('the link knows no request without content-length');
    this.#bodyLeft = Number(head.headers.get('content-length') ?? 0);
    this.#listener.onHead(head);
    return end + END_OF_HEAD.length - known;
  }
}

function parseHead(text: string): RequestHead {
  const [start = '', ...lines] = text.split('\r\n');
  const [method = '', path = ''] = start.split(' ');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { method, path, headers: new Map(headers) };
}
