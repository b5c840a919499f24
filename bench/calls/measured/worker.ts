/** The process of one client: `node worker.js CLIENT ORIGIN`. It makes the calls that it is told to make. */
import { type CreateClient, SHAPES, type Shape } from './client.js';
import { type Load, run } from './load.js';
import { EVIDENCE } from './requests.js';

export type WorkerCommand =
  | { readonly command: 'prove' }
  | { readonly command: 'run'; readonly shape: Shape; readonly load: Load };

const [name, origin] = process.argv.slice(2);
if (name === undefined || origin === undefined) throw new Error('usage: worker.js CLIENT ORIGIN');
const { create } = (await import(`./clients/${name}.js`)) as { create: CreateClient };
const client = create(origin);

process.on('message', (message: WorkerCommand) => {
  answer(message).then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ value: 'ready' });

function answer(message: WorkerCommand): Promise<unknown> {
  return message.command === 'prove' ? prove() : run(client[message.shape].call, message.load);
}

/** Sees that each shape gets the right answer. The write comes last. */
async function prove(): Promise<void> {
  for (const shape of SHAPES) {
    const evidence = await client[shape].prove();
    if (evidence !== EVIDENCE[shape]) throw new Error(`${shape}: ${evidence}, but ${EVIDENCE[shape]} was sent`);
  }
}
