import { beforeEach, describe, expect, test } from 'vitest';
import type { Delivery, Sandbox } from '../../../src/sandbox/index.js';
import { DEFAULT_BACKOFF_MS } from '../../../src/sandbox/webhooks/delivery/delivery.js';
import { deposit, inProcess, NOWHERE, only, outcomes, pass, sendEvents } from './support/sending.js';

/** Requests that wait for their answer, oldest first. */
let inHand: { readonly id: string; readonly answer: (status: number) => void }[];
/** Answers at once; undefined: the test answers. */
let status: number | undefined;
let received: string[];
let most: number;
let sandbox: Sandbox;
beforeEach(() => {
  [inHand, received, status, most] = [[], [], 200, 0];
  sandbox = inProcess(async (request) => {
    const { id } = JSON.parse(await request.text());
    received.push(id);
    if (status !== undefined) return new Response(null, { status });
    return new Promise((resolve) => {
      inHand.push({ id, answer: (given) => resolve(new Response(null, { status: given })) });
      most = Math.max(most, inHand.length);
    });
  });
  sandbox.webhooks.register({ url: NOWHERE, events: ['deposit.completed'] });
});

const answer = (given: number): void => {
  const next = inHand.shift();
  if (next === undefined) throw new Error('nothing is in hand');
  next.answer(given);
};
const turn = () => new Promise((resolve) => setImmediate(resolve));
const redeliver = () => sandbox.webhooks.redeliver(only(sandbox).id);
const tried = async (given: number) => {
  status = given;
  await sendEvents(sandbox);
};

/** A redelivery that is in hand when the retry of a failed attempt falls due. */
async function redeliveringAsRetryFallsDue(): Promise<{ result: Promise<Delivery> }> {
  await tried(503);
  status = undefined;
  const result = redeliver();
  await expect.poll(() => inHand.length).toBe(1);
  sandbox.advance(1_000);
  return { result };
}

describe('redeliver', () => {
  test('delivers again what was delivered, with the same event id, and says what came of it', async () => {
    await tried(200);
    sandbox.advance(60_000);
    const result = await redeliver();
    expect(result).toEqual(only(sandbox));
    expect(result).toMatchObject({ status: 'delivered', attempts: [{ redelivery: false }, { redelivery: true }] });
    expect(result.attempts[1]?.at).toBe(sandbox.clock.now());
    expect(new Set(received)).toEqual(new Set([result.eventId]));
    expect(received).toHaveLength(2);
  });

  test.each([
    ['leaves a delivery delivered when it fails: one attempt was asked for', 200, 500],
    ['ends the plan when it succeeds', 503, 200],
  ])('%s', async (_, first, again) => {
    await tried(first);
    status = again;
    expect(await redeliver()).toMatchObject({ status: 'delivered', nextAttemptAt: undefined });
    await pass(sandbox, 100_000_000);
    expect(outcomes(sandbox)).toEqual([first, again]);
  });

  test('revives none of the plan of a delivery that has failed', async () => {
    await tried(503);
    for (const wait of DEFAULT_BACKOFF_MS) await pass(sandbox, wait);
    expect(await redeliver()).toMatchObject({ status: 'failed', reason: 'not answered 2xx in 9 attempts' });
    await pass(sandbox, 100_000_000);
    expect(received).toHaveLength(10);
    status = 202;
    expect(await redeliver()).toMatchObject({ status: 'delivered', reason: undefined });
  });

  test('uses up none of the planned attempts, and does not move them', async () => {
    await tried(503);
    const { nextAttemptAt } = only(sandbox);
    sandbox.advance(500);
    for (let index = 0; index < 20; index += 1) await redeliver();
    expect(only(sandbox)).toMatchObject({ status: 'pending', nextAttemptAt });
    for (const wait of DEFAULT_BACKOFF_MS) {
      expect(only(sandbox).status).toBe('pending');
      await pass(sandbox, wait);
    }
    expect(only(sandbox).status).toBe('failed');
    expect(received).toHaveLength(29);
  });

  test('several times at once makes one attempt after the other', async () => {
    await tried(200);
    status = undefined;
    const all = Promise.all([redeliver(), redeliver(), redeliver()]);
    for (const given of [500, 204, 201]) {
      await expect.poll(() => inHand.length).toBe(1);
      answer(given);
      await turn();
    }
    const results = await all;
    expect(results.map(({ attempts }) => attempts.map((attempt) => attempt.status))).toEqual([
      [200, 500],
      [200, 500, 204],
      [200, 500, 204, 201],
    ]);
    expect(most).toBe(1);
  });

  test('and a retry that falls due meanwhile do not run at the same time; when it fails, the retry follows', async () => {
    const { result: asked } = await redeliveringAsRetryFallsDue();
    await turn();
    expect(inHand).toHaveLength(1);
    answer(500);
    expect(await asked).toMatchObject({ status: 'pending', attempts: [{ status: 503 }, { status: 500 }] });
    await expect.poll(() => inHand.length).toBe(1);
    answer(200);
    await sandbox.webhooks.idle();
    expect(only(sandbox)).toMatchObject({ status: 'delivered' });
    expect(only(sandbox).attempts.map(({ redelivery }) => redelivery)).toEqual([false, true, false]);
    expect(most).toBe(1);
  });

  test('that succeeds makes a retry needless that has fallen due meanwhile', async () => {
    const { result: asked } = await redeliveringAsRetryFallsDue();
    answer(200);
    await asked;
    await sandbox.webhooks.idle();
    expect(outcomes(sandbox)).toEqual([503, 200]);
  });

  test('waits for an attempt that runs', async () => {
    status = undefined;
    deposit(sandbox);
    const asked = redeliver();
    await expect.poll(() => inHand.length).toBe(1);
    answer(200);
    await expect.poll(() => inHand.length).toBe(1);
    answer(204);
    expect((await asked).attempts).toMatchObject([
      { status: 200, redelivery: false },
      { status: 204, redelivery: true },
    ]);
    expect(most).toBe(1);
  });

  test('rejects for an id that does not exist', async () => {
    await expect(sandbox.webhooks.redeliver('dlv_none')).rejects.toThrow('redeliver: there is no delivery dlv_none');
    await expect(sandbox.webhooks.redeliver(undefined as never)).rejects.toThrow(
      new TypeError('webhooks.redeliver: deliveryId is missing'),
    );
  });

  test('rejects, and does nothing, when the webhook goes while it waits for its turn', async () => {
    await tried(200);
    status = undefined;
    const [running, waiting] = [redeliver(), redeliver()];
    await expect.poll(() => inHand.length).toBe(1);
    sandbox.webhooks.remove(only(sandbox).webhookId);
    const refusal = expect(waiting).rejects.toThrow(/^webhooks\.redeliver: the webhook ep_\w+ was removed$/);
    answer(500);
    expect(await running).toMatchObject({ status: 'delivered', attempts: [{ status: 200 }, { status: 500 }] });
    await refusal;
    await sandbox.webhooks.idle();
    expect(received).toHaveLength(2);
  });
});
