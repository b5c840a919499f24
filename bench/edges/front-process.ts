/** What stands before a port, in a process of its own: an edge that speaks HTTP/2, or a link that delays. */
import { Http2Edge } from '../../test/support/edges/http2-edge.js';
import { startLink } from '../../test/support/link.js';
import type { Address } from '../lanes/backend.js';
import type { FrontSetup } from './front.js';

const { port, http2, link } = JSON.parse(process.argv[2] ?? '') as FrontSetup;

async function address(): Promise<Address> {
  if (link !== undefined) return { url: `http://127.0.0.1:${(await startLink(port, link)).port}` };
  const { url, ca } = await Http2Edge.start(port, http2);
  return { url, ca };
}

process.on('disconnect', () => process.exit());
process.send?.(await address());
