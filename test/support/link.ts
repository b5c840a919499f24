import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { seeded } from './random.js';

export interface LinkOptions {
  /** Milliseconds a fresh connection waits before its first byte passes: least and most. */
  readonly fresh: readonly [number, number];
  /** The most milliseconds a chunk is held. Order within a connection is kept. */
  readonly jitter: number;
  readonly seed?: number;
}

/** A TCP link that delays: fresh connections as TLS would, chunks as a network does. Connections overtake each other, bytes do not. */
export class Link {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #connections = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(port: number, options: LinkOptions): Promise<Link> {
    const random = seeded(options.seed ?? 1);
    const link = new Link(createServer({ noDelay: true }));
    const [least, most] = options.fresh;
    link.#server.on('connection', (near) => {
      link.#connections += 1;
      const opensAt = performance.now() + least + random() * (most - least);
      const far = connect({ port, host: '127.0.0.1', noDelay: true });
      link.#pass(near, far, opensAt, () => random() * options.jitter);
      link.#pass(far, near, opensAt, () => random() * options.jitter);
    });
    await new Promise<void>((resolve) => link.#server.listen(0, '127.0.0.1', resolve));
    return link;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Connections that were ever made through it. */
  get connections(): number {
    return this.#connections;
  }

  #pass(from: Socket, to: Socket, opensAt: number, delay: () => number): void {
    this.#sockets.add(from);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    // A chunk leaves no sooner than the one before it, and after it.
    const held: { readonly chunk: Buffer; readonly leavesAt: number }[] = [];
    let free = opensAt;
    const release = () => {
      for (let next = held[0]; next !== undefined; next = held[0]) {
        const left = next.leavesAt - performance.now();
        if (left > 0) {
          setTimeout(release, left);
          return;
        }
        held.shift();
        if (!to.destroyed) to.write(next.chunk);
      }
    };
    from.on('data', (chunk: Buffer) => {
      free = Math.max(free, performance.now() + delay());
      held.push({ chunk, leavesAt: free });
      if (held.length === 1) release();
    });
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroy();
    });
  }
}
