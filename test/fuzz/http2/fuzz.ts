import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { isPartnerError, PartnerClient, undiciTransport } from '../../../src/index.js';
import type { Random } from '../../../src/sandbox/core/basics/random.js';
import { problemOf } from './judge.js';
import { type Ended, KINDS, type Kind } from './ledger.js';
import { ServiceProcess } from './service-process.js';

const ORDERS = ['adaptive', 'unordered', 'strict'] as const;

/** Clients of a round: each has an API key of its own. */
const CLIENTS = 8;

const WAVES = [2, 6] as const;
const CALLS_OF_A_WAVE = [1, 60] as const;
const ABORTED_SHARE = 0.05;
const ABORTED_AFTER_MS = 60;

const ATTEMPT_TIMEOUT_MS = 500;
const TIMEOUT_MS = 3_000;
/** A call ends sooner, whatever the service does. Machines are shared: it is far above `timeout`. */
const SLOW_MS = TIMEOUT_MS + 20_000;

export interface Http2Report {
  calls: number;
  rounds: number;
  readonly findings: string[];
  readonly faults: Map<string, number>;
  readonly endings: Map<string, number>;
  /** How processes of the service have ended that were not told to. */
  readonly crashes: string[];
}

/**
 * Makes random calls over HTTP/2 until the time is over, and compares what the client says with the ledger of a service
 * that breaks streams, sessions and connections, and does not always keep the word of its GOAWAYs.
 */
export async function fuzzHttp2(random: Random, endsAt: number): Promise<Http2Report> {
  const report: Http2Report = {
    ...{ calls: 0, rounds: 0, findings: [], crashes: [] },
    ...{ faults: new Map(), endings: new Map() },
  };
  let service = await ServiceProcess.start(random.integer(0, 1e9));
  do {
    await makeRound(random, service, report);
    if (service.ended === undefined) continue;
    report.crashes.push(service.ended);
    service = await ServiceProcess.start(random.integer(0, 1e9));
  } while (performance.now() < endsAt);
  await service.stop();
  return report;
}

async function makeRound(random: Random, service: ServiceProcess, report: Http2Report): Promise<void> {
  const round = report.rounds++;
  const rounds = Array.from({ length: CLIENTS }, (_, index) =>
    callsOf(random.fork(`round ${round} client ${index}`), service, `${round}-${index}`),
  );
  const ended = (await Promise.all(rounds)).flat();
  const ledger = await service.takeLedger();
  if (ledger === undefined) return;
  report.calls += ended.length;
  for (const [fault, count] of Object.entries(ledger.faults)) add(report.faults, fault, count);
  for (const nonce of ledger.repeatedNonces) report.findings.push(`a nonce was sent twice: ${nonce}`);
  for (const one of ended) {
    add(report.endings, `${one.kind}: ${one.end}`, 1);
    const problem = problemOf(one, ledger, SLOW_MS);
    if (problem !== undefined) report.findings.push(`${one.kind} ${one.tag}, ${one.end}: ${problem}; ${one.detail}`);
  }
}

/** All calls of one client, in waves. */
async function callsOf(random: Random, service: ServiceProcess, name: string): Promise<Ended[]> {
  const nonceOrder = random.pick(ORDERS);
  const client = new PartnerClient({
    ...{
      baseUrl: service.url,
      apiKey: `${nonceOrder} ${name}`.replaceAll(' ', '-'),
      apiSecret: 'c2VjcmV0',
      nonceOrder,
    },
    ...{ attemptTimeout: ATTEMPT_TIMEOUT_MS, timeout: TIMEOUT_MS, maxRetries: random.pick([0, 3]) },
    transport: undiciTransport({ tls: { ca: service.ca } }),
  });
  const ended: Ended[] = [];
  for (let wave = random.integer(...WAVES); wave > 0; wave--) {
    const kinds = Array.from({ length: random.integer(...CALLS_OF_A_WAVE) }, () => random.pick(KINDS));
    const calls = kinds.map((kind, index) => {
      const abortAfterMs = random.chance(ABORTED_SHARE) ? random.integer(0, ABORTED_AFTER_MS) : undefined;
      return makeCall(client, `${nonceOrder}-${name}-${wave}-${index}`, kind, abortAfterMs);
    });
    ended.push(...(await Promise.all(calls)));
    if (random.chance(0.3)) await sleep(random.integer(1, 30));
  }
  await client.close();
  return ended;
}

async function makeCall(
  client: PartnerClient,
  tag: string,
  kind: Kind,
  abortAfterMs: number | undefined,
): Promise<Ended> {
  const begun = performance.now();
  const signal = abortAfterMs === undefined ? {} : { signal: AbortSignal.timeout(abortAfterMs) };
  try {
    const data = await client.request<{ readonly id?: unknown }>({ ...requestOf(kind, tag), ...signal });
    return { tag, kind, end: 'success', detail: '', id: data?.id, ms: performance.now() - begun };
  } catch (error) {
    const end = isPartnerError(error) ? error.outcome : 'no error of ours';
    return { tag, kind, end, detail: detailOf(error), id: undefined, ms: performance.now() - begun };
  }
}

function requestOf(kind: Kind, tag: string) {
  const path = `/v1/fuzz/${tag}`;
  if (kind === 'read') return { method: 'GET', path } as const;
  if (kind === 'delete') return { method: 'DELETE', path } as const;
  const write = { method: 'POST', path, body: { tag } } as const;
  return kind === 'keyed write' ? ({ ...write, idempotent: true } as const) : write;
}

function detailOf(error: unknown): string {
  if (!isPartnerError(error)) return inspect(error);
  const failures = error.attempts.failures.map(({ reason, status, code }) => `${reason} ${status ?? ''} ${code ?? ''}`);
  return `${error.name}: ${error.message} [${failures.join(', ')}]`;
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}
