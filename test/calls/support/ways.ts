import { type PartnerClient, undiciTransport } from '../../../src/index.js';
import { Http2Edge } from '../../support/edges/http2-edge.js';
import { type ClientOptions, type Scene, type Setup, scene } from '../../support/scene.js';

/** The ways on which the SDK opens connections itself. */
export const WAYS = ['http1', 'http2'] as const;

export type OwnWay = (typeof WAYS)[number];

/** A scene whose clients reach the service by one of the ways; by HTTP/2 through an edge that hands requests on in order. */
export function sceneBy(way: OwnWay, setup: Setup, run: (scene: Scene) => Promise<void>): Promise<void> {
  if (way === 'http1') return scene(setup, run);
  const { client: options, ...others } = setup;
  return scene(others, async ({ service, connect }) => {
    const edge = await Http2Edge.start(service.port, { handling: 'in order' });
    // One transport: the clients of a scene share their lanes.
    const transport = undiciTransport({ tls: { ca: edge.ca } });
    const byEdge = (more?: ClientOptions): PartnerClient => connect({ baseUrl: edge.url, transport, ...more });
    try {
      await run({ service, client: byEdge(options), connect: byEdge });
    } finally {
      await edge.close();
    }
  });
}
