/**
 * `npm run fuzz`: whatever bytes a service sends, a call ends in time with a typed error, or with the value that two
 * other parsers read in the same bytes; and the next call gets its own answer. It begins with the kept answers of
 * `corpus.json`, and goes on with changes of them. The seed decides about all of it.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ConnectionError, fetchTransport, PartnerClient, undiciTransport } from '../../src/index.js';
import { Random } from '../../src/sandbox/state/random.js';
import { type Ending, problemOf } from './judge.js';
import { mutated } from './mutate.js';
import { startParsers } from './parsers.js';
import { FuzzService } from './service.js';

/** An answer of the corpus: `@` stands for the id that was asked for, a character for a byte. */
interface Kept {
  readonly name: string;
  readonly bytes: string;
}

interface Finding {
  readonly name: string;
  readonly transport: string;
  readonly problem: string;
  readonly bytes: string;
}

const CORPUS: readonly Kept[] = JSON.parse(readFileSync('test/fuzz/corpus.json', 'utf8'));
const ATTEMPT_TIMEOUT_MS = 250;
/** The lengths in the corpus count on it. */
const ID_LENGTH = 16;
/** One connection in so many stays open: the call that waits there costs its whole timeout. */
const KEPT_OPEN_EVERY = 20;

/** For the call after it, which has nothing to wait for but the machine. */
const NEXT_TIMEOUT_MS = 30_000;

/** A pool may have several connections that have ended. */
const NEXT_CALLS_MAX = 4;

const TRANSPORTS = { undici: undiciTransport, fetch: fetchTransport } as const;

const { values: given } = parseArgs({
  options: { seed: { type: 'string' }, seconds: { type: 'string', default: '30' } },
});
const seed = Number(given.seed ?? Math.floor(Math.random() * 1_000_000));
const endsAt = performance.now() + Number(given.seconds) * 1_000;
if (!Number.isSafeInteger(seed) || Number.isNaN(endsAt)) throw new Error('--seed and --seconds are numbers');

const strays: string[] = [];
process.on('unhandledRejection', (reason) => strays.push(`unhandled: ${String(reason)}`));

const findings: Finding[] = [];
const endings = new Map<string, number>();
let calls = 0;
const parsers = startParsers();
await Promise.all(Object.keys(TRANSPORTS).map((name) => fuzz(name as keyof typeof TRANSPORTS)));
parsers.close();

console.log(
  `seed ${seed}: ${calls} answers, ${CORPUS.length} of them kept, over ${Object.keys(TRANSPORTS).join(' and ')}`,
);
for (const [end, count] of [...endings].sort((one, other) => other[1] - one[1]))
  console.log(`${String(count).padStart(7)} ${end}`);
for (const finding of findings) console.log(JSON.stringify(finding));
for (const stray of strays) console.log(stray);
if (findings.length + strays.length > 0) process.exitCode = 1;
else console.log('Every call ended in time, with a typed error or the value that other parsers read.');

async function fuzz(transport: keyof typeof TRANSPORTS): Promise<void> {
  const service = new FuzzService();
  const baseUrl = await service.listen();
  const client = new PartnerClient({
    baseUrl,
    apiKey: 'key',
    apiSecret: 'c2VjcmV0',
    maxRetries: 0,
    attemptTimeout: ATTEMPT_TIMEOUT_MS,
    transport: TRANSPORTS[transport](),
  });
  const random = new Random(seed).fork(transport);
  let index = 0;
  for (const { name, bytes } of answers(random)) {
    const id = random.text(ID_LENGTH, '0123456789abcdef');
    service.bytes = Buffer.from(bytes.replaceAll('@', id), 'latin1');
    service.isKeptOpen = index % KEPT_OPEN_EVERY === 0;
    const ending = await endingOf(client, id);
    note(ending);
    const problem = (await problemOf(parsers.all, service.bytes, id, ending)) ?? (await strayProblem(client, index));
    if (problem !== undefined) findings.push({ name, transport, problem, bytes });
    index += 1;
    if (performance.now() > endsAt && index >= CORPUS.length) break;
  }
  calls += index;
  await client.close();
  await service.close();
}

/** Yields the kept answers, and then changes of them without end. */
function* answers(random: Random): Generator<Kept> {
  yield* CORPUS;
  const [first, ...rest] = CORPUS.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes, 'latin1') }));
  if (first === undefined) throw new Error('the corpus is empty');
  for (;;) {
    const [one, other] = [random.pick([first, ...rest]), random.pick([first, ...rest])];
    yield { name: `${one.name}, changed`, bytes: mutated(random, one.bytes, other.bytes).toString('latin1') };
  }
}

async function endingOf(client: PartnerClient, id: string, attemptTimeout = ATTEMPT_TIMEOUT_MS): Promise<Ending> {
  const begun = performance.now();
  try {
    return { value: await client.users.get(id, { attemptTimeout }), ms: performance.now() - begun };
  } catch (error) {
    return { error, ms: performance.now() - begun };
  }
}

/**
 * The next call gets its own answer, whatever was left on a connection. It may be sent on one that the service has
 * just ended; the client was told not to repeat it.
 */
async function strayProblem(client: PartnerClient, index: number): Promise<string | undefined> {
  const id = FuzzService.rightId(index);
  let ending = await endingOf(client, id, NEXT_TIMEOUT_MS);
  for (let left = NEXT_CALLS_MAX; left > 0 && isLost(ending); left -= 1) {
    ending = await endingOf(client, id, NEXT_TIMEOUT_MS);
  }
  if ('value' in ending) return ending.value.id === id ? undefined : `the next call got ${String(ending.value.id)}`;
  return `the next call failed: ${String(ending.error)}`;
}

function isLost(ending: Ending): boolean {
  return 'error' in ending && ending.error instanceof ConnectionError;
}

function note(ending: Ending): void {
  const end = 'value' in ending ? 'a value' : ((ending.error as Error).name ?? 'an error without a name');
  endings.set(end, (endings.get(end) ?? 0) + 1);
}
