import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AbortedError, type EndEvent, type PartnerClient, PartnerError } from '../../../src/index.js';
import { ACCOUNT, failure, GET, KEYED, saveBody, scene, USER } from '../../support/scene.js';
import { type Script, status } from '../../support/service.js';
import { gate, until } from '../../support/until.js';
import { recorder } from '../support/recorder.js';

const now = { 'retry-after': '0' };

/** Answers as the header `x-want` says: a status, the sooner the more often it is repeated, after some milliseconds. */
const asWanted: Script = (request) => {
  const [wanted = '200', delay = '0'] = (request.headers['x-want'] ?? '').split(' ');
  if (wanted === 'reset') return { fault: 'reset', delay: Number(delay) };
  return wanted === '200'
    ? rightAfter(request, Number(delay))
    : { ...status(Number(wanted), now), delay: Number(delay) };
};
let rightAfter: (request: Parameters<Script>[0], delay: number) => ReturnType<Script>;

const want = (what: string, delay: number) => ({ headers: { 'x-want': `${what} ${delay}` } });

/** Ways of a call to end, each with a number of milliseconds that changes it. They give what the caller sees. */
const ENDINGS: Readonly<Record<string, (client: PartnerClient, ms: number) => PromiseLike<unknown>>> = {
  'a read that succeeds': (client, ms) => client.users.get(USER, want('200', ms)),
  'a write that succeeds': (client, ms) => client.funds.withdrawalAddresses.save(ACCOUNT, saveBody, want('200', ms)),
  'a 404': (client, ms) => client.users.get(USER, want('404', ms)),
  'a 503 on every attempt': (client, ms) => client.users.get(USER, { ...want('503', ms), maxRetries: 2 }),
  'a connection that breaks': (client, ms) =>
    client.funds.withdrawalAddresses.save(ACCOUNT, saveBody, { ...want('reset', ms), maxRetries: 1 }),
  'input that is refused': (client) => client.users.get('short'),
  'a path that is refused': (client) => client.request({ method: 'GET', path: 'no path' }),
  'a signal that was aborted before': (client) => client.users.get(USER, { signal: AbortSignal.abort() }),
  'a signal that is aborted on the way': (client, ms) =>
    client.users.get(USER, { ...want('200', 8), signal: AbortSignal.timeout(ms) }),
  'a deadline on the way': (client, ms) => client.users.get(USER, { ...want('200', 8), timeout: ms + 1 }),
  'an OTP function that fails': (client) =>
    client.users.get(USER, {
      otp: () => {
        throw new Error('no password');
      },
    }),
  'a page of a list': (client, ms) => client.webhooks.list({}, want('200', ms)),
  'a page of a list that is refused': (client) => client.webhooks.list({ page_size: 0 }),
};

describe('a call', () => {
  it('begins with one onStart and ends with one onEnd, however it ends and whatever else is under way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...Object.keys(ENDINGS)), fc.nat({ max: 12 })), {
          minLength: 1,
          maxLength: 14,
        }),
        fc.constantFrom('strict', 'adaptive', 'unordered'),
        async (endings, nonceOrder) => {
          const { told, hooks, of } = recorder();
          await scene({ client: { hooks, nonceOrder } }, async ({ service, client }) => {
            const right = service.script;
            rightAfter = async (request, delay) => ({ ...(await right(request)), delay });
            service.script = asWanted;
            const calls = endings.map(([name, ms]) => ENDINGS[name]?.(client, ms));
            const ends = await Promise.allSettled(calls.map(async (call) => call));
            expect(of('onStart')).toHaveLength(endings.length);
            expect(of('onEnd')).toHaveLength(endings.length);
            expect(new Set(of('onStart').map(({ callId }) => callId)).size).toBe(endings.length);
            for (const { callId } of of('onStart')) {
              const names = told.filter(({ event }) => event.callId === callId).map(({ name }) => name);
              expect(names[0]).toBe('onStart');
              expect(names.at(-1)).toBe('onEnd');
            }
            const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
            for (const error of errors) expect(error).toBeInstanceOf(PartnerError);
            // Each promise's own error is in exactly one event of each kind.
            expect(new Set(of('onError').map(({ error }) => error))).toEqual(new Set(errors));
            expect(new Set(of('onEnd').flatMap(({ error }) => error ?? []))).toEqual(new Set(errors));
            for (const end of of('onEnd') as unknown as EndEvent[]) {
              expect(end.queueTime).toBeLessThanOrEqual(end.durationMs);
              const sent = of('onRequest').filter(({ callId }) => callId === end.callId);
              expect(sent.length).toBeLessThanOrEqual(end.attempts);
              const over = of('onAttemptEnd').filter(({ callId }) => callId === end.callId);
              expect(over.filter((attempt) => attempt['sent'])).toHaveLength(sent.length);
              // An attempt that the call's end took out of the queue counts for no attempt.
              expect([end.attempts, end.attempts + 1]).toContain(over.length);
              const queued = over.reduce((sum, { queueTime }) => sum + (queueTime as number), 0);
              expect(queued).toBeCloseTo(end.queueTime, 6);
              for (const { laneTime, queueTime, durationMs } of over) {
                expect(laneTime).toBeLessThanOrEqual(queueTime as number);
                expect(queueTime).toBeLessThanOrEqual(durationMs as number);
              }
              if (end.error !== undefined) expect(end).toMatchObject({ outcome: end.error.outcome });
            }
            await sleep(15);
            expect(of('onEnd'), 'nothing is told later').toHaveLength(endings.length);
          });
        },
      ),
      { numRuns: 40 },
    );
  }, 180_000);

  it('on a closed client has both', async () => {
    const { told, hooks } = recorder();
    await scene({ client: { hooks } }, async ({ client }) => {
      await client.close();
      await failure(GET.invoke(client));
    });
    expect(told.map(({ name }) => name)).toEqual(['onStart', 'onError', 'onEnd']);
  });

  it('that waits in the queue when it is aborted ends with no attempt, and has waited all its time', async () => {
    const { hooks, of } = recorder();
    await scene({ client: { hooks, nonceOrder: 'strict' } }, async ({ service, client }) => {
      const { opened, open } = gate();
      service.answers({ ...status(404), hold: opened });
      const first = GET.invoke(client).catch(() => undefined);
      await service.arrived(1);
      const controller = new AbortController();
      const second = failure(GET.invoke(client, { signal: controller.signal }));
      await until(() => of('onStart').length === 2);
      const queued = performance.now();
      await sleep(60);
      const aborted = performance.now();
      controller.abort();
      await second;
      const [end] = of('onEnd');
      expect(end).toMatchObject({ attempts: 0, outcome: 'not_applied' });
      expect(end?.['queueTime']).toBeGreaterThanOrEqual(aborted - queued);
      expect(end?.['durationMs']).toBeGreaterThanOrEqual(end?.['queueTime'] as number);
      expect(of('onRequest')).toHaveLength(1);
      open();
      await first;
    });
  });

  it('tells its effect, its attempts and its key', async () => {
    const { hooks, of } = recorder();
    await scene({ answers: [status(503, now)], client: { hooks } }, async ({ service, client }) => {
      await KEYED.invoke(client);
      await GET.invoke(client);
      const key = service.requests[0]?.key;
      const template = '/v1/users/{user_id}';
      expect(of('onStart')).toMatchObject([
        { idempotencyKey: key },
        { operation: 'users.get', method: 'GET', path: template },
      ]);
      expect(of('onEnd')).toMatchObject([
        { outcome: 'applied', attempts: 2, idempotencyKey: key, error: undefined },
        { outcome: 'not_applied', attempts: 1, idempotencyKey: undefined, path: template },
      ]);
    });
  });

  it('of a page that its loop leaves behind ends without an onError', async () => {
    const { hooks, of } = recorder();
    await scene({ client: { hooks } }, async ({ service, client }) => {
      const { opened, open } = gate();
      const right = service.script;
      service.script = async (request) => {
        if (service.requests.length > 1) await opened;
        const body = JSON.parse(String((await right(request)).body)) as object;
        return { body: JSON.stringify({ ...body, next_page_token: `t${request.index}` }) };
      };
      for await (const _ of client.webhooks.list({}, { prefetch: true }).pages()) break;
      open();
      await until(() => of('onEnd').length === 2);
      expect(of('onStart')).toHaveLength(2);
      expect(of('onEnd').map(({ error }) => error)).toEqual([undefined, expect.any(AbortedError)]);
      expect(of('onError')).toEqual([]);
    });
  });

  it('is each poll of a wait', async () => {
    const { hooks, of } = recorder();
    await scene({ client: { hooks } }, async ({ client }) => {
      const until = () => of('onEnd').length > 1;
      await client.users.waitFor(USER, { until });
      expect(of('onStart').map(({ operation }) => operation)).toEqual(of('onEnd').map(() => 'users.get'));
      expect(of('onStart').length).toBeGreaterThan(1);
    });
  });
});

describe('onRequest', () => {
  it('comes when the bytes leave, with the time that the attempt waited for its turn', async () => {
    const { hooks, of } = recorder();
    await scene({ client: { hooks, nonceOrder: 'strict' } }, async ({ service, client }) => {
      const open = service.hold();
      const begun = performance.now();
      const calls = [GET.invoke(client), GET.invoke(client)];
      await service.arrived(1);
      const arrived = performance.now();
      await sleep(80);
      expect(of('onRequest')).toHaveLength(1);
      expect(service.requests).toHaveLength(1);
      const opened = performance.now();
      open();
      await Promise.all(calls);
      const answered = performance.now();
      const [first, second] = of('onRequest');
      expect(first?.['queueTime']).toBeLessThanOrEqual(arrived - begun);
      expect(second?.['queueTime']).toBeGreaterThanOrEqual(opened - arrived);
      const answers = of('onResponse') as unknown as { queueTime: number; durationMs: number }[];
      expect(answers.map(({ queueTime }) => queueTime)).toEqual([first?.['queueTime'], second?.['queueTime']]);
      expect(answers[1]?.durationMs).toBeGreaterThan(answers[1]?.queueTime ?? 0);
      expect((answers[1]?.durationMs ?? 0) - (answers[1]?.queueTime ?? 0)).toBeLessThanOrEqual(answered - opened);
    });
  });

  it('does not come for an attempt that never was sent', async () => {
    const { told, hooks } = recorder();
    await scene({ client: { hooks } }, async ({ client }) => {
      const otp = async () => Promise.reject(new Error('no password'));
      await failure(client.users.get(USER, { otp }));
      await failure(client.users.get('short'));
    });
    expect(told.map(({ name }) => name)).toEqual([
      ...['onStart', 'onAttemptEnd', 'onError', 'onEnd'],
      ...['onStart', 'onError', 'onEnd'],
    ]);
  });
});

describe('hooks of a class', () => {
  it('work as methods of its prototype, with their this, and with members of their own', async () => {
    class Recorder {
      readonly operations: string[] = [];
      onStart({ operation }: { operation: string }): void {
        this.operations.push(`start ${operation}`);
      }
      onEnd({ operation }: { operation: string }): void {
        this.operations.push(`end ${operation}`);
      }
      run(_event: unknown, next: () => Promise<void>): void {
        this.operations.push('run');
        void next();
      }
    }
    const hooks = new Recorder();
    await scene({ client: { hooks } }, async ({ client }) => {
      await GET.invoke(client);
    });
    expect(hooks.operations).toEqual(['run', 'start users.get', 'run', 'end users.get']);
  });
});

it('the id of a call is a text that no other call of the process has, over several clients', async () => {
  const { hooks, of } = recorder();
  await scene({ client: { hooks } }, async ({ client, connect }) => {
    const other = connect({ hooks });
    await Promise.all(Array.from({ length: 50 }, (_, index) => GET.invoke(index % 2 === 0 ? client : other)));
  });
  const ids = of('onEnd').map(({ callId }) => callId);
  expect(new Set(ids).size).toBe(50);
  for (const id of ids) expect(id).toMatch(/^[\w-]+$/);
});
