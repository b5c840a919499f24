/**
 * Whatever bytes a service sends, a call ends in time with a typed error, or with the value that two other parsers read in
 * the same bytes; and the next call gets its own answer. A process of its own, with a small heap: tells its report by IPC.
 */
import { readFileSync } from 'node:fs';
import {
  ApiError,
  ConnectionError,
  fetchTransport,
  PartnerClient,
  PartnerError,
  undiciTransport,
} from '../../../src/index.js';
import { Random } from '../../../src/sandbox/core/basics/random.js';
import { answer, onRequests, RawServer } from '../../support/raw-server.js';
import type { Figure } from '../judge/judge.js';
import type { AnswersReport, AnswersTask } from './answers.js';
import { mutated } from './mutate.js';
import { type Parsers, startParsers } from './parsers.js';

/** An answer of the corpus: `@` stands for the id that was asked for, a character for a byte. */
interface Kept {
  readonly name: string;
  readonly bytes: string;
}

const CORPUS: { readonly answers: readonly [Kept, ...Kept[]]; readonly pieces: readonly string[] } = JSON.parse(
  readFileSync(new URL('corpus.json', import.meta.url), 'utf8'),
);
const ATTEMPT_TIMEOUT_MS = 250;
/** A call ends sooner, whatever the service sends. Machines are shared: it is far above `attemptTimeout`. */
const SLOW_MS = 10_000;
/** The lengths in the corpus count on it. */
const ID_LENGTH = 16;
/** The ids of the calls that get a right answer begin so. */
const RIGHT = 'right';
/** One connection in so many stays open: the call that waits there costs its whole timeout. */
const KEPT_OPEN_EVERY = 20;
/** For the call after it, which has nothing to wait for but the machine. */
const NEXT_TIMEOUT_MS = 30_000;
/** A pool may have several connections that have ended. */
const NEXT_CALLS_MAX = 4;

const TRANSPORTS = { undici: undiciTransport, fetch: fetchTransport } as const;

/** How a call ended. */
type Ending = { readonly value: { readonly id?: unknown } } | { readonly error: unknown };

type Problem = readonly [figure: Figure, what: string];

const report: AnswersReport = { answers: 0, endings: [], findings: [] };
process.on('unhandledRejection', (reason) =>
  report.findings.push({ figure: 'incidents', what: `unhandled: ${reason}` }),
);
process.once('message', async ({ seed, seconds }: AnswersTask) => {
  const parsers = startParsers();
  const random = new Random(seed);
  const endsAt = performance.now() + seconds * 1_000;
  const transports = Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[];
  await Promise.all(transports.map((name) => run(name, random.fork(name), parsers, endsAt)));
  parsers.close();
  process.send?.(report, () => process.disconnect());
});

/** Gives the kept answers to a client, and then changes of them until the time is over. */
async function run(
  transport: keyof typeof TRANSPORTS,
  random: Random,
  parsers: Parsers,
  endsAt: number,
): Promise<void> {
  const { answers, pieces } = CORPUS;
  let bytes: Buffer = Buffer.alloc(0);
  let index = 0;
  const service = await RawServer.start((socket) =>
    onRequests(socket, (line) => {
      const id = line.split(' ')[1]?.split('/').at(-1) ?? '';
      const right = JSON.stringify({ data: { id, locale: 'en' } });
      if (id.startsWith(RIGHT)) socket.write(answer(right, 'content-type: application/json\r\n'));
      else {
        socket.write(bytes);
        if (index % KEPT_OPEN_EVERY !== 0) socket.end();
      }
    }),
  );
  const client = new PartnerClient({
    baseUrl: service.origin,
    apiKey: 'key',
    apiSecret: 'c2VjcmV0',
    maxRetries: 0,
    attemptTimeout: ATTEMPT_TIMEOUT_MS,
    transport: TRANSPORTS[transport](),
  });
  const bytesOf = (kept: Kept) => Buffer.from(kept.bytes, 'latin1');
  for (; index < answers.length || performance.now() < endsAt; index++) {
    const [kept, other] = [answers[index] ?? random.pick(answers), random.pick(answers)];
    const isKept = index < answers.length;
    const raw = isKept ? bytesOf(kept) : mutated(random, bytesOf(kept), bytesOf(other), pieces);
    const id = random.text(ID_LENGTH, '0123456789abcdef');
    bytes = Buffer.from(raw.toString('latin1').replaceAll('@', id), 'latin1');
    const begun = performance.now();
    const ending = await endingOf(client, id);
    const milliseconds = performance.now() - begun;
    report.endings.push('value' in ending ? 'a value' : ((ending.error as Error).name ?? 'an error without a name'));
    const problem: Problem | undefined =
      milliseconds > SLOW_MS
        ? ['never ended', `the call took ${Math.round(milliseconds)} ms`]
        : ((await problemOf(parsers, bytes, id, ending)) ?? (await strayProblem(client, index)));
    if (problem === undefined) continue;
    const [figure, what] = problem;
    const name = isKept ? kept.name : `${kept.name}, changed`;
    report.findings.push({
      figure,
      what: `${what} (${name}, ${transport}): ${JSON.stringify(raw.toString('latin1'))}`,
    });
  }
  report.answers += index;
  await client.close();
  await service.close();
}

async function endingOf(client: PartnerClient, id: string, attemptTimeout = ATTEMPT_TIMEOUT_MS): Promise<Ending> {
  try {
    return { value: await client.users.get(id, { attemptTimeout }) };
  } catch (error) {
    return { error };
  }
}

/** Returns what is wrong about the end of a call that got these bytes: a value is what every strict reader finds in them. */
async function problemOf(parsers: Parsers, bytes: Buffer, id: string, ending: Ending): Promise<Problem | undefined> {
  const isError = 'error' in ending;
  if (isError && !(ending.error instanceof PartnerError)) return ['untyped errors', String(ending.error)];
  if (isError && !(ending.error instanceof ApiError)) return undefined;
  const status = isError ? (ending.error as ApiError).response.status : undefined;
  // An answer may lack members, its id among them.
  const found = isError ? undefined : ending.value.id;
  if (found !== undefined && found !== id) return ['wrong answer', `a value of another call: ${found}`];
  for (const { name, read } of parsers.all) {
    const reading = await read(bytes);
    if (reading === 'abstains') continue;
    const wrong = (what: string): Problem => [
      'wrong answer',
      `${what} where ${name} reads ${reading?.status ?? 'nothing'}`,
    ];
    if (isError && reading?.status !== status) return wrong(`status ${status}`);
    if (isError) continue;
    if (reading?.isComplete !== true || reading.status < 200 || reading.status > 299) return wrong('a value');
    if (idIn(reading.body) !== found) return wrong(`the id ${found}`);
  }
  return undefined;
}

function idIn(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)).data.id;
  } catch {
    return undefined;
  }
}

/**
 * The next call gets its own answer, whatever was left on a connection. It may be sent on one that the service has
 * just ended; the client was told not to repeat it.
 */
async function strayProblem(client: PartnerClient, index: number): Promise<Problem | undefined> {
  const id = RIGHT + String(index).padStart(ID_LENGTH - RIGHT.length, '0');
  let ending = await endingOf(client, id, NEXT_TIMEOUT_MS);
  for (let left = NEXT_CALLS_MAX; left > 0 && 'error' in ending && ending.error instanceof ConnectionError; left -= 1) {
    ending = await endingOf(client, id, NEXT_TIMEOUT_MS);
  }
  if ('error' in ending) return ['wrong answer', `the next call failed: ${ending.error}`];
  return ending.value.id === id ? undefined : ['wrong answer', `the next call got ${ending.value.id}`];
}
