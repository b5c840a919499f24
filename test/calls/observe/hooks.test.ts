import { describe, expect, it } from 'vitest';
import { failure, GET, KEYED, scene } from '../../support/scene.js';
import { status } from '../../support/service.js';
import { HOOKS, type Hooks, type Logger, warningsOf } from '../support/recorder.js';

const now = { 'retry-after': '0' };

describe('hooks', () => {
  it('see the wait before a repeat: full jitter under a growing bound', () => {
    const delays: number[][] = [[], [], []];
    const onRetry = (event: object) => {
      const { attempt, delayMs } = event as { attempt: number; delayMs: number };
      delays[attempt - 1]?.push(delayMs);
    };
    return scene({ client: { hooks: { onRetry }, timeout: 60_000 } }, async ({ service, client }) => {
      service.script = () => ({ status: 503 });
      await Promise.all(Array.from({ length: 60 }, () => failure(GET.invoke(client))));
      expect(delays.map(({ length }) => length)).toEqual([60, 60, 60]);
      const most = delays.map((list) => Math.max(...list));
      const least = delays.map((list) => Math.min(...list));
      for (const [round, list] of delays.entries()) {
        expect(Math.min(...list)).toBeGreaterThanOrEqual(0);
        expect(new Set(list).size, 'delays differ').toBeGreaterThan(30);
        // Full jitter begins at nothing: some wait is under a third of the longest.
        expect(least[round] ?? 1).toBeLessThan((most[round] ?? 0) / 3);
      }
      expect(most[2] ?? 0).toBeGreaterThan(most[0] ?? 0);
      expect(most[2] ?? 0).toBeLessThan(10_000);
    });
  });
});

describe('a hook or logger that fails never changes a call, and is reported once', () => {
  /** One warning, which names what failed and shows its error. */
  const reportedOnce = (emitted: (readonly unknown[])[], what: RegExp) => {
    expect(emitted).toHaveLength(1);
    expect(emitted[0]?.[0]).toMatch(what);
    expect(emitted[0]?.[0]).toContain('Error: hook is broken');
  };
  const boom: Readonly<Record<string, () => unknown>> = {
    throws: () => {
      throw new Error('hook is broken');
    },
    rejects: async () => {
      throw new Error('hook is broken');
    },
  };
  for (const [way, fail] of Object.entries(boom)) {
    for (const name of HOOKS) {
      it(`${name} ${way}`, async () => {
        const hooks = { [name]: fail } as Hooks;
        const emitted = await warningsOf(() =>
          scene({ client: { hooks } }, async ({ service, client }) => {
            for (let round = 0; round < 3; round += 1) {
              service.answers(status(503, now));
              expect((await KEYED.invoke(client).withResponse()).response.attempts).toBe(2);
              service.answers(status(409));
              expect(await failure(KEYED.invoke(client))).toMatchObject({
                response: { status: 409 },
                outcome: 'not_applied',
              });
            }
            expect(service.requests).toHaveLength(9);
          }),
        );
        reportedOnce(emitted, new RegExp(`^the hook ${name} `));
      });
    }

    it(`a logger that ${way}`, async () => {
      const logger = { debug: fail, info: fail, warn: fail, error: fail } as unknown as Logger;
      const emitted = await warningsOf(() =>
        scene({ client: { logger } }, async ({ service, client }) => {
          for (let round = 0; round < 3; round += 1) {
            service.answers(status(503, now), status(409));
            // Without it, the second round would be warned of as the retry of a write of unknown outcome.
            const idempotencyKey = crypto.randomUUID();
            expect(await failure(KEYED.invoke(client, { idempotencyKey }))).toMatchObject({
              response: { status: 409 },
            });
          }
        }),
      );
      reportedOnce(emitted, /^the logger's debug\(\) /);
    });
  }

  it('a hook that never settles does not hold up the call', () =>
    scene(
      { client: { hooks: { onRequest: () => new Promise(() => undefined) } as unknown as Hooks } },
      async ({ client }) => {
        expect(await GET.invoke(client, { timeout: 3_000 })).toMatchObject({ type: 'individual' });
      },
    ));

  it('a hook that changes what it gets changes nothing', () => {
    const spoil = (event: unknown) => {
      for (const name of Object.keys(Object(event))) Reflect.set(Object(event), name, 'spoiled');
    };
    const hooks = Object.fromEntries(HOOKS.map((name) => [name, spoil])) as Hooks;
    return scene({ answers: [status(503, now)], client: { hooks } }, async ({ service, client }) => {
      const { response } = await KEYED.invoke(client).withResponse();
      expect(response).toMatchObject({ status: 200, attempts: 2, idempotencyKey: service.requests[0]?.key });
    });
  });
});
