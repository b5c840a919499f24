/** The service, its edge and the link to it, in a process of their own: the client's event loop is not theirs. */
import { Http2Edge } from '../../test/support/edges/http2-edge.js';
import { startLink } from '../../test/support/link.js';
import type { Address, Answered, Ask, Setup } from './backend.js';
import { BenchService } from './service.js';

const setup = JSON.parse(process.argv[2] ?? '') as Setup;
const service = await BenchService.start(setup.behaviour);

async function address(): Promise<Address> {
  const edge = setup.http2 && (await Http2Edge.start(service.port, setup.http2));
  const { port } = edge ?? service;
  const reached = setup.link === undefined ? port : (await startLink(port, setup.link)).port;
  return edge === undefined
    ? { url: `http://127.0.0.1:${reached}` }
    : { url: `https://localhost:${reached}`, ca: edge.ca };
}

const tell = (answer: Answered) => process.send?.(answer);

process.on('message', (ask: Ask) => {
  if (ask.behave !== undefined) service.behave(ask.behave);
  tell({ id: ask.id, counts: service.counts(ask.prefix) });
});
process.on('disconnect', () => process.exit());
tell({ id: 0, address: await address() });
