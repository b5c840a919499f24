import { readFileSync } from 'node:fs';
import { ConnectionError, fetchTransport, PartnerClient, undiciTransport } from '../../src/index.js';
import type { Random } from '../../src/sandbox/core/basics/random.js';
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

export interface AnswersReport {
  answers: number;
  readonly kept: number;
  readonly transports: readonly string[];
  readonly findings: readonly string[];
  /** How often a call ended so. */
  readonly endings: ReadonlyMap<string, number>;
}

/** Gives the kept answers of `corpus.json` to the client, and then changes of them until the time is over. */
export async function fuzzAnswers(random: Random, endsAt: number): Promise<AnswersReport> {
  const fuzz = new AnswersFuzz(endsAt);
  const transports = Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[];
  await Promise.all(transports.map((name) => fuzz.run(name, random.fork(name))));
  fuzz.parsers.close();
  const { answers, findings, endings } = fuzz;
  const shown = findings.map((finding) => JSON.stringify(finding));
  return { answers, kept: CORPUS.length, transports, findings: shown, endings };
}

class AnswersFuzz {
  readonly parsers = startParsers();
  readonly findings: Finding[] = [];
  readonly endings = new Map<string, number>();
  answers = 0;
  readonly #endsAt: number;

  constructor(endsAt: number) {
    this.#endsAt = endsAt;
  }

  async run(transport: keyof typeof TRANSPORTS, random: Random): Promise<void> {
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
    let index = 0;
    for (const { name, bytes } of answers(random)) {
      const id = random.text(ID_LENGTH, '0123456789abcdef');
      service.bytes = Buffer.from(bytes.replaceAll('@', id), 'latin1');
      service.isKeptOpen = index % KEPT_OPEN_EVERY === 0;
      const ending = await endingOf(client, id);
      this.#note(ending);
      const problem =
        (await problemOf(this.parsers.all, service.bytes, id, ending)) ?? (await strayProblem(client, index));
      if (problem !== undefined) this.findings.push({ name, transport, problem, bytes });
      index += 1;
      if (performance.now() > this.#endsAt && index >= CORPUS.length) break;
    }
    this.answers += index;
    await client.close();
    await service.close();
  }

  #note(ending: Ending): void {
    const end = 'value' in ending ? 'a value' : ((ending.error as Error).name ?? 'an error without a name');
    this.endings.set(end, (this.endings.get(end) ?? 0) + 1);
  }
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
