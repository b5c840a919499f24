import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSandbox, type Deliver, type Delivery, type Sandbox } from '../../../src/sandbox/index.js';
import { DEFAULT_BACKOFF_MS } from '../../../src/sandbox/webhooks/delivery/delivery.js';
import { deposit, NOWHERE, pass } from './support/sending.js';

/** What a receiver does with a delivery. */
type Health = number | 'throws' | 'gives nothing';

type Step =
  | { readonly do: 'event' | 'turn' }
  | { readonly do: 'restart'; readonly closesFirst: boolean }
  | { readonly do: 'health'; readonly health: Health }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'redeliver'; readonly which: number };

const constant = <const T>(value: T) => fc.constant<T>(value);
const health = fc.constantFrom<Health>(200, 302, 410, 503, 'throws', 'gives nothing');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: constant('event') }) },
  { weight: 3, arbitrary: fc.record({ do: constant('turn') }) },
  { weight: 1, arbitrary: fc.record({ do: constant('restart'), closesFirst: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: constant('health'), health }) },
  { weight: 4, arbitrary: fc.record({ do: constant('advance'), ms: fc.constantFrom(0, 999, ...DEFAULT_BACKOFF_MS) }) },
  { weight: 4, arbitrary: fc.record({ do: constant('redeliver'), which: fc.nat(8) }) },
);

const isSuccess = (status: unknown): boolean => typeof status === 'number' && status >= 200 && status <= 299;

/** A sandbox that goes through steps, with a receiver that remembers. */
class Run {
  readonly bodies = new Map<string, Set<string>>();
  readonly accepted = new Set<string>();
  events = 0;
  #health: Health = 200;
  #sandbox: Sandbox;
  #asked: Promise<unknown>[] = [];

  constructor() {
    this.#sandbox = createSandbox({ deliver: this.#deliver });
    this.#sandbox.webhooks.register({ url: NOWHERE, events: ['deposit.completed'] });
  }

  get deliveries(): readonly Delivery[] {
    return this.#sandbox.webhooks.listDeliveries();
  }

  async take(next: Step): Promise<void> {
    if (next.do === 'event') this.#event();
    if (next.do === 'turn') await new Promise((resolve) => setImmediate(resolve));
    if (next.do === 'health') this.#health = next.health;
    if (next.do === 'advance') this.#sandbox.advance(next.ms);
    if (next.do === 'redeliver') this.#redeliver(next.which);
    if (next.do === 'restart') await this.#restart(next.closesFirst);
  }

  /** Everything under way ends, with the receiver as it is. Gives what is pending then. */
  async settle(): Promise<readonly string[]> {
    await this.#sandbox.webhooks.idle();
    await Promise.all(this.#asked);
    return this.deliveries.filter(({ status }) => status === 'pending').map(({ id }) => id);
  }

  /** The receiver is well again, and time enough passes for one attempt. */
  async recover(): Promise<void> {
    this.#health = 200;
    await pass(this.#sandbox, DEFAULT_BACKOFF_MS.at(-1) ?? 0);
  }

  close(): Promise<void> {
    return this.#sandbox.close();
  }

  #event(): void {
    this.events += 1;
    deposit(this.#sandbox);
  }

  #redeliver(which: number): void {
    const delivery = this.deliveries[which];
    if (delivery === undefined) return;
    // The end of its sandbox refuses it.
    this.#asked.push(
      this.#sandbox.webhooks.redeliver(delivery.id).catch((error) => expect(String(error)).toContain('closed')),
    );
  }

  async #restart(closesFirst: boolean): Promise<void> {
    const before = this.#sandbox;
    if (closesFirst) await before.close();
    const snapshot = JSON.parse(JSON.stringify(before.snapshot()));
    await before.close();
    this.#sandbox = createSandbox({ snapshot, deliver: this.#deliver });
  }

  readonly #deliver: Deliver = async (request) => {
    const body = await request.text();
    const { id } = JSON.parse(body);
    this.bodies.set(id, (this.bodies.get(id) ?? new Set()).add(body));
    const present = this.#health;
    await new Promise((resolve) => setImmediate(resolve));
    if (present === 'throws') throw new Error('no database');
    if (present === 'gives nothing') return undefined as never;
    if (isSuccess(present)) this.accepted.add(id);
    return new Response(null, { status: present });
  };
}

const planned = ({ attempts }: Delivery) => attempts.filter(({ redelivery }) => !redelivery);
const succeeded = ({ attempts }: Delivery) => attempts.some(({ status }) => isSuccess(status));

const afterSuccess = ({ attempts }: Delivery) => {
  const first = attempts.findIndex(({ status }) => isSuccess(status));
  return first < 0 ? [] : attempts.slice(first + 1);
};

test('whatever fails in between, every event reaches a receiver that recovers, always with its own id and body', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (taken) => {
      const run = new Run();
      for (const next of taken) await run.take(next);
      const pending = await run.settle();
      await run.recover();

      expect(new Set(run.deliveries.map(({ eventId }) => eventId))).toHaveProperty('size', run.events);
      expect(run.deliveries).toHaveLength(run.events);
      for (const delivery of run.deliveries) {
        const { id, eventId, body, status } = delivery;
        expect(status).toBe(pending.includes(id) || succeeded(delivery) ? 'delivered' : 'failed');
        if (status === 'delivered') expect(run.accepted).toContain(eventId);
        else expect(planned(delivery)).toHaveLength(DEFAULT_BACKOFF_MS.length + 1);
        expect([...(run.bodies.get(eventId) ?? [])]).toEqual([body]);
        expect(afterSuccess(delivery)).not.toContainEqual(expect.objectContaining({ redelivery: false }));
        expect(delivery.attempts).not.toContainEqual(expect.objectContaining({ error: 'the sandbox was closed' }));
        expect(JSON.parse(body).id).toBe(eventId);
      }
      expect(run.bodies.size).toBe(run.events);
      await run.close();
    }),
    { numRuns: 100 },
  );
}, 360_000);
