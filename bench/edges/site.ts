import { type LinkOptions, startLink } from '../../test/support/link.js';
import { type Address, Backend } from './backend.js';
import { Edge } from './edge.js';
import type { Behaviour } from './service.js';

/** A fresh connection takes as long as one over TLS does far away; chunks are held as a restless network holds them. */
const LINK: LinkOptions = { fresh: [5, 85], jitter: 6 };

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
    answer: [milliseconds, milliseconds],
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

  private constructor(backend: Backend, [nginx, haproxy, caddy]: [Edge, Edge, Edge]) {
    this.backend = backend;
    this.#nginx = nginx;
    this.#haproxy = haproxy;
    this.#caddy = caddy;
  }

  static async start(): Promise<Site> {
    const backend = await Backend.start(answering(50));
    const port = portOf(backend.address);
    const edges = await Promise.all([
      Edge.start('nginx', port),
      Edge.start('haproxy', port),
      Edge.start('caddy', port),
    ]);
    return new Site(backend, edges);
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
    const link = await startLink(portOf(way.address), LINK);
    try {
      const url = new URL(way.address.url);
      url.port = String(link.port);
      return await run({ ...way, address: { ...way.address, url: url.origin } });
    } finally {
      await link.close();
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#nginx.stop(), this.#haproxy.stop(), this.#caddy.stop()]);
    await this.backend.stop();
  }
}

const portOf = ({ url }: Address): number => Number(new URL(url).port);
