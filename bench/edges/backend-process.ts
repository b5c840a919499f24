/** The service in a process of its own: the event loop of the client is not its own. */
import type { Answered, Ask } from './backend.js';
import { type Behaviour, BenchService } from './service.js';

const service = await BenchService.start(JSON.parse(process.argv[2] ?? '') as Behaviour);
const tell = (answer: Answered) => process.send?.(answer);

process.on('message', (ask: Ask) => {
  if (ask.behave !== undefined) service.behave(ask.behave);
  tell({ id: ask.id, counts: service.counts(ask.prefix) });
});
process.on('disconnect', () => process.exit());
tell({ id: 0, address: { url: `http://127.0.0.1:${service.port}` } });
