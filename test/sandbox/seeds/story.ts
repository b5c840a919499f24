import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiKeyScope, createSandbox, type Sandbox } from '../../../src/sandbox/index.js';
import { askSandbox } from '../../../tools/examples/examples.js';

const DAY_MS = 24 * 3_600_000;
const SCOPES: readonly ApiKeyScope[] = ['read', 'trade', 'funds', 'users', 'webhooks'];

/** A webhook is signed with the machine's time. */
const withoutSignature = (text: string): string => text.replaceAll(/t=\d+,v1=[0-9a-f]{64}/g, 'signature');

/** Returns the hash of all that a partner and a test see of the sandbox of a seed. */
export async function hashOf(seed: number): Promise<string> {
  const text = await storyOf(seed);
  const folder = process.env['SEEDS_TEXTS'];
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `seed-${seed}.txt`), text);
  }
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** The data at first, the answers of all operations, the data afterwards and three days later, and what was delivered. */
async function storyOf(seed: number): Promise<string> {
  const deliveries: string[] = [];
  const sandbox = createSandbox({
    seed,
    async deliver(request) {
      deliveries.push(JSON.stringify([request.url, [...request.headers], await request.text()]));
      return new Response(null, { status: 204 });
    },
  });
  const parts: [string, unknown][] = [
    ['credentials', sandbox.credentials],
    ['fixtures', sandbox.fixtures],
    ['snapshot', sandbox.snapshot()],
    ['samples', sandbox.webhooks.samples()],
    ['execution times', sandbox.settings.get().executionTimes],
    ...viewsOf(sandbox, 'at first'),
    ...(await askSandbox(sandbox)),
    ...viewsOf(sandbox, 'after all operations'),
  ];
  await sandbox.clock.advance(3 * DAY_MS, { deliver: true });
  parts.push(...viewsOf(sandbox, 'after three days'));
  for (const scope of SCOPES) parts.push([`key of ${scope}`, sandbox.keys.issue({ scopes: [scope] })]);
  await sandbox.close();
  // Deliveries of one moment arrive in any order.
  parts.push(['deliveries', deliveries.sort()]);
  return withoutSignature(parts.map(([name, value]) => `${name}: ${JSON.stringify(value, undefined, 1)}\n`).join(''));
}

function viewsOf({ resources, clock, books }: Sandbox, moment: string): [string, unknown][] {
  const lists = resources
    .kinds()
    .map(({ kind, count }): [string, unknown] => [`${kind} ${moment}`, resources.list(kind, { limit: count })]);
  return [...lists, [`agenda ${moment}`, clock.agenda()], [`books ${moment}`, books.check()]];
}
