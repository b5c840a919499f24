import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** The ids of the calls that get a right answer begin so. */
const RIGHT = 'right';

/** A service that gives the bytes it was told to whoever asks, and right answers to those who ask for a right one. */
export class FuzzService {
  /** What the next call gets. */
  bytes: Buffer = Buffer.alloc(0);
  /** The connection stays open behind them. */
  isKeptOpen = false;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer((socket) => this.#connect(socket));

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** An id that gets a right answer. */
  static rightId(count: number): string {
    return RIGHT + String(count).padStart(11, '0');
  }

  #connect(socket: Socket): void {
    this.#sockets.add(socket);
    let asked = '';
    socket.setNoDelay();
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    // Reads have no body: a request ends with its head.
    socket.on('data', (chunk: Buffer) => {
      asked += chunk.toString('latin1');
      for (let end = asked.indexOf('\r\n\r\n'); end >= 0; end = asked.indexOf('\r\n\r\n')) {
        const path = asked.slice(0, end).split(' ', 2)[1] ?? '';
        asked = asked.slice(end + 4);
        this.#answer(socket, path.slice(path.lastIndexOf('/') + 1));
      }
    });
  }

  #answer(socket: Socket, id: string): void {
    if (!id.startsWith(RIGHT)) {
      socket.write(this.bytes);
      if (!this.isKeptOpen) socket.end();
      return;
    }
    const body = JSON.stringify({ data: { id, locale: 'en' } });
    const head = ['HTTP/1.1 200 OK', 'Content-Type: application/json', `Content-Length: ${body.length}`];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
}
