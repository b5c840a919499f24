/** The head of one HTTP/1.1 request; headers by their names in lower case. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
}

const END_OF_HEAD = '\r\n\r\n';

/** Finds the requests in what one client writes: heads and bodies with `content-length`, which is all that the SDK sends. */
export class RequestFraming {
  readonly #onHead: (head: RequestHead) => void;
  #head = '';
  #bodyLeft = 0;

  constructor(onHead: (head: RequestHead) => void) {
    this.#onHead = onHead;
  }

  /** Returns the places in the chunk where requests begin. */
  feed(chunk: Buffer): number[] {
    const starts: number[] = [];
    for (let place = 0; place < chunk.length; ) {
      const inBody = Math.min(this.#bodyLeft, chunk.length - place);
      this.#bodyLeft -= inBody;
      place += inBody;
      if (place === chunk.length) break;
      const known = this.#head.length;
      if (known === 0) starts.push(place);
      this.#head += chunk.toString('latin1', place);
      const end = this.#head.indexOf(END_OF_HEAD);
      if (end < 0) break;
      place += end + END_OF_HEAD.length - known;
      const head = parseHead(this.#head.slice(0, end));
      if (head.headers.has('transfer-encoding')) throw new Error('the link knows no request without content-length');
      this.#head = '';
      this.#bodyLeft = Number(head.headers.get('content-length') ?? 0);
      this.#onHead(head);
    }
    return starts;
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
