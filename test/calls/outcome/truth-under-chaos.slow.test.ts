import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type PartnerClient, PartnerError } from '../../../src/index.js';
import { startLink } from '../../support/link.js';
import { seeded } from '../../support/random.js';
import { ACCOUNT, expectUniqueNonces, newKey, saveBody, scene, WAYS } from '../../support/scene.js';
import {
  type Answer,
  type Protocol,
  rightAnswer,
  type Service,
  status,
  type WireRequest,
} from '../../support/service.js';

const now = { 'retry-after': '0' };

/** How often each write took effect at the service, by the name in its body. */
type Ledger = Map<string, number>;

function nameOf({ body }: WireRequest): string {
  return body.length === 0 ? '' : (JSON.parse(body.toString('utf8')) as { key: string }).key;
}

/** A service that fails now and then, before or after the effect, and remembers keys. */
function unreliable(service: Service, random: () => number): Ledger {
  const ledger: Ledger = new Map();
  const remembered = new Set<string>();
  const apply = (request: WireRequest) => {
    if (request.method === 'GET' || (request.key !== undefined && remembered.has(request.key))) return;
    if (request.key !== undefined) remembered.add(request.key);
    ledger.set(nameOf(request), (ledger.get(nameOf(request)) ?? 0) + 1);
  };
  const without: readonly Answer[] = [status(503, now), status(429, now), { fault: 'reset' }, status(400), status(500)];
  const after: readonly Answer[] = [status(503, now), status(504, now), { fault: 'reset' }, status(500)];
  const pick = (answers: readonly Answer[]) => answers[Math.floor(random() * answers.length)] ?? {};
  service.script = (request) => {
    const luck = random();
    const delay = random() * 6;
    if (luck < 0.06) return { ...pick(without), delay };
    // A remembered effect is not refused any more.
    apply(request);
    if (luck < 0.1) return { ...pick(after), delay };
    if (luck < 0.13) return { ...rightAnswer(request), delay, fault: 'cut' };
    if (luck < 0.14) return { ...rightAnswer(request), delay, fault: 'stall' };
    if (luck < 0.15) return { fault: 'silent' };
    if (luck < 0.17) return { ...rightAnswer(request), delay, headers: { connection: 'close' } };
    return { ...rightAnswer(request), delay, hints: luck > 0.95, chunked: luck > 0.8 };
  };
  service.resetAtHead = () => random() < 0.005;
  return ledger;
}

interface Call {
  readonly name: string;
  readonly kind: 'read' | 'keyed' | 'unkeyed';
  readonly end: Promise<unknown>;
}

/** Reads and writes at once; some with a short deadline, some aborted at any moment. */
function start(client: PartnerClient, random: () => number, place: number): Call {
  const name = `write ${place}`;
  const controller = new AbortController();
  if (random() < 0.1) setTimeout(() => controller.abort(), random() * 300);
  const timeout = random() < 0.1 ? 20 + random() * 300 : 15_000;
  const options = { signal: controller.signal, timeout, maxRetries: 5 };
  const kind = place % 10 === 3 ? 'unkeyed' : place % 2 === 0 ? 'read' : 'keyed';
  const send = () => {
    if (kind === 'read') return client.users.get('USER-0000-0000-0001', options);
    const body = { ...saveBody, key: name };
    if (kind === 'keyed')
      return client.funds.withdrawalAddresses.save(ACCOUNT, body, { ...options, idempotencyKey: newKey() });
    return client.request({ method: 'POST', path: '/v1/things', body, ...options });
  };
  return { name, kind, end: send().catch((error: unknown) => error) };
}

async function chaos(over: Protocol, seed: number, through: 'straight' | 'link'): Promise<void> {
  const random = seeded(seed);
  await scene({ over }, async ({ service, connect }) => {
    const ledger = unreliable(service, random);
    const link = through === 'link' ? await startLink(service.port, { fresh: [5, 40], jitter: 3, seed }) : undefined;
    const client = connect({
      baseUrl: service.url.replace(/\d+$/, String((link ?? service).port)),
      attemptTimeout: 400,
    });
    try {
      const calls = Array.from({ length: 200 }, (_, place) => start(client, random, place));
      const ends = await Promise.all(calls.map(({ end }) => end));
      // What was abandoned on the wire may still take effect.
      await sleep(100);
      for (const [place, { name, kind }] of calls.entries()) {
        const ended = ends[place];
        const effects = ledger.get(name) ?? 0;
        if (kind !== 'read') expect(effects, `${name} took effect`).toBeLessThanOrEqual(1);
        if (!(ended instanceof Error)) {
          if (kind !== 'read') expect(effects, `${name} succeeded`).toBe(1);
          continue;
        }
        expect(ended).toBeInstanceOf(PartnerError);
        const { outcome } = ended as PartnerError;
        if (kind === 'read') expect(outcome).toBe('not_applied');
        else if (outcome !== 'unknown') expect(effects, `${name} is ${outcome}`).toBe(outcome === 'applied' ? 1 : 0);
      }
      expectUniqueNonces(service.requests);
      expect(service.requests.filter(({ signed }) => signed === false)).toEqual([]);
      for (const lane of client.stats().lanes) expect(lane.waiting).toBe(0);
    } finally {
      await client.close();
      await link?.close();
    }
  });
}

describe.concurrent.each(WAYS)('whatever breaks, what the client says of a write is true (%s)', (over) => {
  for (const seed of [1, 2, 3]) it(`seed ${seed}`, () => chaos(over, seed, 'straight'));
  for (const seed of [4, 5]) it(`through a link, seed ${seed}`, () => chaos(over, seed, 'link'));
});
