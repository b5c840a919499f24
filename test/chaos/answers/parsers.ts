import { spawn } from 'node:child_process';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The answer that a parser finds in bytes after which the connection ends. */
export interface Reading {
  readonly status: number;
  readonly body: Buffer;
  /** The parser has seen its end, and nothing that it refuses before. */
  readonly isComplete: boolean;
}

export interface Parser {
  readonly name: string;
  /** Returns undefined when it finds no head of an answer, and `abstains` when it cannot read this kind. */
  readonly read: (bytes: Buffer) => Promise<Reading | 'abstains' | undefined>;
}

/**
 * A connection on which these bytes come once something was sent, one by one, and then the end. Node drops the body of
 * an answer when wrong bytes come with it.
 */
function connectionOf(bytes: Buffer): Duplex {
  let next = 0;
  return new Duplex({
    read() {
      setImmediate(() => {
        this.push(next < bytes.length ? bytes.subarray(next, next + 1) : null);
        next += 1;
      });
    },
    write: (_chunk, _encoding, done) => done(),
  });
}

/** llhttp as Node has it, in its strict mode. */
const node: Parser = {
  name: 'llhttp in strict mode',
  read: (bytes) =>
    new Promise((resolve) => {
      let found: IncomingMessage | undefined;
      const chunks: Buffer[] = [];
      // Bytes behind the answer may be wrong; the answer is not.
      const end = () =>
        resolve(found && { status: found.statusCode ?? 0, body: Buffer.concat(chunks), isComplete: found.complete });
      const call = request({
        createConnection: () => connectionOf(bytes),
        insecureHTTPParser: false,
        // How much is read is not compared.
        maxHeaderSize: 1_000_000,
        headers: { connection: 'close' },
      });
      call.on('error', end);
      call.on('upgrade', (_response, socket) => {
        socket.destroy();
        end();
      });
      call.on('response', (response) => {
        found = response;
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => {});
        response.on('close', end);
      });
      call.end();
    }),
};

const PROGRAM = fileURLToPath(new URL('parser.py', import.meta.url));

const UNKNOWN_TO_PYTHON = /^transfer-encoding:(?!\s*chunked\r?$).*/im;

export interface Parsers {
  readonly all: readonly Parser[];
  close(): void;
}

/** Starts the parser of another language beside llhttp. It knows no coding but `chunked`, and no version but 0.9 to 1.1. */
export function startParsers(): Parsers {
  const child = spawn('python3', [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line));
  child.once('exit', (code) => {
    if (code !== 0) throw new Error(`python3 has ended with ${code}`);
  });
  const python: Parser = {
    name: "Python's http.client",
    async read(bytes) {
      if (UNKNOWN_TO_PYTHON.test(bytes.toString('latin1'))) return 'abstains';
      child.stdin.write(`${bytes.toString('hex')}\n`);
      const found = JSON.parse(await new Promise<string>((resolve) => waiting.push(resolve)));
      if (found === null) return undefined;
      return found === 'abstains' ? found : { ...found, body: Buffer.from(found.body, 'hex') };
    },
  };
  return { all: [node, python], close: () => child.stdin.end() };
}
