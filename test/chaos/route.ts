import type { Edge as RealEdge } from '../../bench/edges/edge.js';
import { certificateFor } from '../support/certificate.js';
import { startNginx } from '../support/nginx.js';
import { certificateFile } from '../support/tls.js';
import { Http2Edge } from './edge/http2.js';
import type { WireRequest } from './judge/evidence.js';
import { ChaosLink } from './link/link.js';
import type { EdgeName } from './plan/phases.js';

/** How often nginx sends a request, as Envoy does with the retries that Istio sets by default. */
const SENDS = 3;

/** nginx closes a connection that is idle for a second: short enough that it happens in a run. */
const SERIAL = 'keepalive_timeout 1s; proxy_next_upstream off;';
const RESENDING = 'keepalive_timeout 1s; proxy_next_upstream error timeout http_503 non_idempotent;';

/** The way from the clients to the service: a link, and behind it an edge where there is one. */
export class Route {
  private constructor(
    readonly link: ChaosLink,
    readonly edge?: Http2Edge | undefined,
    /** The certificate that clients must trust, PEM; undefined without TLS. */
    readonly ca?: string | undefined,
    readonly nginx?: RealEdge | undefined,
  ) {}

  static async open(servicePort: number, seed: number, phase: string, name: EdgeName): Promise<Route> {
    const course = { seed, phase };
    if (name === 'direct') return new Route(await ChaosLink.start(servicePort, course));
    if (name === 'http2') {
      const certificate = certificateFor('localhost');
      const edge = await Http2Edge.start(servicePort, { ...course, certificate });
      return new Route(await ChaosLink.start(edge.port, { ...course, encrypted: true }), edge, certificate.cert);
    }
    const isSerial = name === 'serial';
    const ports = Array.from({ length: isSerial ? 1 : SENDS }, () => servicePort);
    const nginx = await startNginx(ports, isSerial ? SERIAL : RESENDING);
    const { port } = new URL(nginx.address('http').url);
    return new Route(await ChaosLink.start(Number(port), course), undefined, undefined, nginx);
  }

  /** What makes the platform's `fetch` trust the certificate, from the start of a process. */
  get env(): NodeJS.ProcessEnv {
    return this.ca === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificateFile(this.ca) };
  }

  /** The requests, as the link has read them; what is encrypted, as the edge has. */
  get wire(): readonly WireRequest[] {
    return this.edge?.wire ?? this.link.wire;
  }

  get faults(): Map<string, number> {
    return new Map([...this.link.faults, ...(this.edge?.faults ?? [])]);
  }

  /** Nothing is under way any more: all has arrived or been dropped. */
  get atRest(): boolean {
    return this.link.atRest && (this.edge?.atRest ?? true);
  }

  async close(): Promise<void> {
    await this.link.close();
    await this.edge?.close();
    await this.nginx?.stop();
  }
}
