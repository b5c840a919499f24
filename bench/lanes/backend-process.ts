/** The service and the link to it, in a process of their own: the client's event loop is not theirs. */
import { Link } from '../../test/support/link.js';
import type { Answered, Ask, Setup } from './backend.js';
import { BenchService } from './service.js';

const setup = JSON.parse(process.argv[2] ?? '') as Setup;
const service = await BenchService.start(setup.behaviour);
const url =
  setup.link === undefined ? `http://127.0.0.1:${service.port}` : (await Link.start(service.port, setup.link)).url;

const tell = (answer: Answered) => process.send?.(answer);

process.on('message', (ask: Ask) => {
  if (ask.behave !== undefined) service.behave(ask.behave);
  tell({ id: ask.id, counts: service.counts(ask.prefix) });
});
process.on('disconnect', () => process.exit());
tell({ id: 0, url });
