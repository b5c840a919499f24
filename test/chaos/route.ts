import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificateFor } from '../support/certificate.js';
import type { Edge, EdgeName } from './edge/edge.js';
import { Http2Edge } from './edge/http2.js';
import { SerialEdge } from './edge/serial.js';
import type { WireRequest } from './judge/evidence.js';
import { ChaosLink } from './link/link.js';

export interface RouteOptions {
  readonly seed: number;
  readonly phase: string;
  readonly edge: EdgeName;
  /** The edge gives two answers each to the other's request: it is broken on purpose. */
  readonly swaps: boolean;
}

/** As Envoy does with the retries that Istio sets by default. */
const RESENDS = 2;

/** The host of the certificate. */
const HOST = 'localhost';

/** The way from the clients to the service: a link, and behind it an edge where there is one. */
export class Route {
  readonly #link: ChaosLink;
  readonly #edge: Edge | undefined;
  /** The certificate that clients must trust, PEM; undefined without TLS. */
  readonly ca: string | undefined;
  readonly #folder: string | undefined;

  private constructor(link: ChaosLink, edge: Edge | undefined, ca: string | undefined, folder: string | undefined) {
    this.#link = link;
    this.#edge = edge;
    this.ca = ca;
    this.#folder = folder;
  }

  static async open(servicePort: number, { edge: name, ...options }: RouteOptions): Promise<Route> {
    if (name === 'http2') {
      const certificate = certificateFor(HOST);
      const folder = await mkdtemp(join(tmpdir(), 'chaos-'));
      await writeFile(join(folder, CERTIFICATE), certificate.cert);
      const edge = await Http2Edge.start(servicePort, { ...options, certificate });
      const link = await ChaosLink.start(edge.port, { ...options, encrypted: true });
      return new Route(link, edge, certificate.cert, folder);
    }
    const resends = name === 'resending' ? RESENDS : 0;
    const edge = name === 'direct' ? undefined : await SerialEdge.start(servicePort, { ...options, resends });
    const link = await ChaosLink.start(edge?.port ?? servicePort, options);
    return new Route(link, edge, undefined, undefined);
  }

  get url(): string {
    return this.#link.url;
  }

  /** What makes the platform's `fetch` trust the certificate, from the start of a process. */
  get env(): NodeJS.ProcessEnv {
    return this.#folder === undefined ? {} : { NODE_EXTRA_CA_CERTS: join(this.#folder, CERTIFICATE) };
  }

  /** The requests, as the link has read them; what is encrypted, as the edge has. */
  get wire(): readonly WireRequest[] {
    return this.#edge?.wire ?? this.#link.wire;
  }

  get faults(): Map<string, number> {
    return new Map([...this.#link.faults, ...(this.#edge?.faults ?? [])]);
  }

  /** Connections that were ever made. */
  get made(): number {
    return this.#link.made;
  }

  /** Connections that clients hold open. */
  get held(): number {
    return this.#link.open;
  }

  /** Nothing is under way any more: all has arrived or been dropped. */
  get atRest(): boolean {
    return this.#link.atRest && (this.#edge?.atRest ?? true);
  }

  async close(): Promise<void> {
    await this.#link.close();
    await this.#edge?.close();
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true });
  }
}

const CERTIFICATE = 'certificate.pem';
