import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ACCOUNT, failure, GET, KEYED, saveBody, scene } from '../../support/scene.js';
import { type Answer, status } from '../../support/service.js';
import { HOOKS, type Hooks, type Logger, recorder, warningsOf } from '../support/recorder.js';

const now = { 'retry-after': '0' };

describe('hooks', () => {
  it('follow a call through its attempts', () => {
    const { told, hooks } = recorder();
    return scene({ answers: [status(503, now), { fault: 'reset' }], client: { hooks } }, async ({ client }) => {
      await KEYED.invoke(client);
      const order = told.map(({ name }) => name);
      expect(order.filter((name) => name === 'onRequest')).toHaveLength(3);
      expect(order.filter((name) => name === 'onRetry')).toHaveLength(2);
      expect(order.slice(0, 2)).toEqual(['onStart', 'onRequest']);
      expect(order.at(-1)).toBe('onEnd');
      expect(order.filter((name) => name === 'onResponse').length).toBeGreaterThanOrEqual(1);
      expect(order).not.toContain('onError');
      for (const { event } of told) expect(event).toMatchObject({ operation: 'funds.withdrawalAddresses.save' });
    });
  });

  it('see the error of a call that fails, once', () => {
    const { told, hooks } = recorder();
    return scene({ answers: [status(409)], client: { hooks } }, async ({ client }) => {
      await failure(KEYED.invoke(client));
      expect(told.filter(({ name }) => name === 'onError')).toHaveLength(1);
    });
  });

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

  it('see a wait no shorter than the service asked for', () => {
    const delays: number[] = [];
    const onRetry = (event: object) => void delays.push((event as { delayMs: number }).delayMs);
    return scene(
      { answers: [status(429, { 'retry-after': '1' })], client: { hooks: { onRetry } } },
      async ({ client }) => {
        await GET.invoke(client);
        expect(delays).toHaveLength(1);
        expect(delays[0]).toBeGreaterThanOrEqual(1_000);
      },
    );
  });
});

describe('what hooks and logger see', () => {
  it.each<[string, readonly Answer[]]>([
    ['a success', []],
    ['repeats', [status(503, now), { fault: 'reset' }]],
    ['a refusal', [status(400)]],
    ['an unreadable answer', [{ status: 200, body: '<html>' }]],
    ['a 401', [status(401)]],
  ])('%s: no secret, key, signature, body, query or OTP', (_, answers) => {
    const { told, hooks, lines, logger } = recorder();
    return scene({ answers, client: { hooks, logger, otp: 'otp-773311' } }, async ({ service, client }) => {
      await KEYED.invoke(client).catch(() => undefined);
      service.answers(...answers);
      await client.webhooks.list({ page_token: 'token-in-query' }).then(undefined, () => undefined);
      service.answers(...answers);
      const body = { via: 'bitcoin', address: 'bc1-secret-address' };
      await client.accounts.wallets.whitelist(ACCOUNT, body).catch(() => undefined);
      expect(told.length).toBeGreaterThan(0);
      expect(service.requests.length).toBeGreaterThanOrEqual(3);
      const everything = { depth: 12, maxStringLength: null, maxArrayLength: null };
      // What came as an answer stays on the error, where a log does not see it.
      expect(inspect([told, lines], everything)).not.toContain('<html>');
      const text = inspect([told, lines], { ...everything, showHidden: true });
      const hidden = [service.apiSecret, saveBody.address, 'token-in-query', 'otp-773311'];
      for (const request of service.requests) hidden.push(request.headers['api-sign'] ?? 'none');
      for (const word of hidden) expect(text.includes(word), `shows ${word}`).toBe(false);
    });
  });

  it('the logger is told of repeats and failures', () => {
    const { lines, logger } = recorder();
    return scene({ answers: [status(503, now), status(400)], client: { logger } }, async ({ client }) => {
      await failure(KEYED.invoke(client));
      expect(lines.length).toBeGreaterThan(0);
      for (const [, message, fields] of lines) {
        expect(typeof message).toBe('string');
        expect(typeof fields).toBe('object');
      }
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
            expect(await failure(KEYED.invoke(client))).toMatchObject({ response: { status: 409 } });
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
