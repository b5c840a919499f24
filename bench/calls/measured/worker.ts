/** The process of one client: `node worker.js CLIENT ORIGIN`. It makes the calls that it is told to make. */
import { type CreateClient, type MeasuredClient, SHAPES, type Shape } from './client.js';
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
  return message.command === 'prove' ? prove(client) : runShape(message.shape, message.load);
}

async function runShape(shape: Shape, load: Load): Promise<unknown> {
  const { call } = client[shape] ?? {};
  if (call === undefined) throw new Error(`${name} has no ${shape}`);
  return run(call, load);
}

/** The shapes that the client has; each has got the right answer. The write comes last. */
async function prove(client: MeasuredClient): Promise<Shape[]> {
  const shapes = SHAPES.filter((shape) => client[shape] !== undefined);
  for (const shape of shapes) {
    const evidence = await client[shape]?.prove();
    if (evidence !== EVIDENCE[shape]) throw new Error(`${shape}: ${evidence}, but ${EVIDENCE[shape]} was sent`);
  }
  return shapes;
}
