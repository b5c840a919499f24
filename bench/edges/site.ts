import { type Address, Backend, LINK } from '../lanes/backend.js';
import type { Behaviour } from '../lanes/service.js';
import { Edge } from './edge.js';
import { type Front, startFront } from './front.js';

/** One way to reach the service. */
export interface Way {
  readonly name: string;
  readonly address: Address;
  /** What clients negotiate there. */
  readonly protocol: 'HTTP/1.1' | 'HTTP/2';
}

/** A service that answers after so many ms and refuses nonces that arrive out of order; Node handles what a connection brings together. */
export function answering(milliseconds: number, slow?: Behaviour['slow']): Behaviour {
  const behaviour: Behaviour = {
    status: 200,
    answer: [milliseconds, milliseconds],
    handling: 'together',
    nonces: 'rising',
    // With this seed the first answers are none of the slow ones.
    seed: 3,
  };
  return slow === undefined ? behaviour : { ...behaviour, slow };
}

/** The service and everything that stands before it. */
export class Site {
  readonly backend: Backend;
  readonly #nginx: Edge;
  readonly #haproxy: Edge;
  readonly #caddy: Edge;
  readonly #inOrder: Front;
  readonly #shuffled: Front;

  private constructor(
    backend: Backend,
    [nginx, haproxy, caddy]: [Edge, Edge, Edge],
    [inOrder, shuffled]: [Front, Front],
  ) {
    this.backend = backend;
    this.#nginx = nginx;
    this.#haproxy = haproxy;
    this.#caddy = caddy;
    this.#inOrder = inOrder;
    this.#shuffled = shuffled;
  }

  static async start(): Promise<Site> {
    const backend = await Backend.start({ behaviour: answering(50) });
    const port = portOf(backend.address);
    const edges = await Promise.all([
      Edge.start('nginx', port),
      Edge.start('haproxy', port),
      Edge.start('caddy', port),
    ]);
    const fronts = await Promise.all([
      startFront({ port, http2: { handling: 'in order' } }),
      startFront({ port, http2: { handling: 'shuffled' } }),
    ]);
    return new Site(backend, edges, fronts);
  }

  /** All ways over HTTP/1.1, without TLS. */
  get plain(): readonly Way[] {
    return [
      { name: 'direct', protocol: 'HTTP/1.1', address: this.backend.address },
      { name: 'nginx', protocol: 'HTTP/1.1', address: this.#nginx.address('http') },
      { name: 'HAProxy', protocol: 'HTTP/1.1', address: this.#haproxy.address('http') },
      { name: 'Caddy', protocol: 'HTTP/1.1', address: this.#caddy.address('http') },
    ];
  }

  get nginxTls(): Way {
    return { name: 'nginx, TLS', protocol: 'HTTP/1.1', address: this.#nginx.address('tls') };
  }

  /** Edges that offer HTTP/2 over TLS. */
  get http2(): readonly Way[] {
    return [
      { name: 'nginx, h2', protocol: 'HTTP/2', address: this.#nginx.address('http2') },
      { name: 'HAProxy, h2', protocol: 'HTTP/2', address: this.#haproxy.address('http2') },
      { name: 'Caddy, h2', protocol: 'HTTP/2', address: this.#caddy.address('http2') },
    ];
  }

  get nginxHttp2(): Way {
    return { name: 'nginx, h2', protocol: 'HTTP/2', address: this.#nginx.address('http2') };
  }

  /** Edges of ours, of node:http2. */
  get own(): readonly Way[] {
    return [
      { name: 'Node, h2 in order', protocol: 'HTTP/2', address: this.#inOrder.address },
      { name: 'Node, h2 shuffled', protocol: 'HTTP/2', address: this.#shuffled.address },
    ];
  }

  reloadNginx(): void {
    this.#nginx.reload();
  }

  /** An nginx that closes a connection without a request after a second. */
  get brief(): readonly Way[] {
    return [
      { name: 'nginx, 1 s idle', protocol: 'HTTP/1.1', address: this.#nginx.address('briefHttp') },
      { name: 'nginx, 1 s idle, h2', protocol: 'HTTP/2', address: this.#nginx.address('briefHttp2') },
    ];
  }

  /** Runs with the restless link before an edge. */
  async overLink<T>(way: Way, run: (way: Way) => Promise<T>): Promise<T> {
    const link = await startFront({ port: portOf(way.address), link: LINK });
    try {
      const url = new URL(way.address.url);
      url.port = String(portOf(link.address));
      return await run({ ...way, address: { ...way.address, url: url.origin } });
    } finally {
      await link.stop();
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#nginx.stop(), this.#haproxy.stop(), this.#caddy.stop()]);
    await Promise.all([this.#inOrder.stop(), this.#shuffled.stop()]);
    await this.backend.stop();
  }
}

const portOf = ({ url }: Address): number => Number(new URL(url).port);
