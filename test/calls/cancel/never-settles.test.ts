import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AbortedError, fetchTransport, ProviderError, type StandardSchema, TimeoutError } from '../../../src/index.js';
import {
  ACCOUNT,
  type ClientOptions,
  failure,
  GET,
  KEYED,
  type PerCall,
  scene,
  UNKEYED,
  WAYS,
} from '../../support/scene.js';
import { gate, until } from '../../support/until.js';

const never = (): Promise<never> => new Promise<never>(() => undefined);

describe.concurrent('a fetch that ignores its signal', () => {
  const hanging = (): ClientOptions => ({
    maxRetries: 0,
    transport: fetchTransport({
      fetch: (url, init) => (String(url).includes('hang') ? never() : fetch(url, init)),
    }),
  });
  const hang = { method: 'GET', path: '/v1/hang' } as const;

  it.each<
    [string, typeof TimeoutError | typeof AbortedError, () => Pick<PerCall, 'timeout' | 'attemptTimeout' | 'signal'>]
  >([
    ['timeout', TimeoutError, () => ({ timeout: 50 })],
    ['attemptTimeout', TimeoutError, () => ({ attemptTimeout: 50 })],
    ['aborts', AbortedError, () => ({ signal: AbortSignal.timeout(50) })],
  ])('does not hold the lane: %s', (_, errorClass, limit) =>
    scene({ client: hanging() }, async ({ client }) => {
      const calls = Array.from({ length: 8 }, () => failure(client.request({ ...hang, ...limit() })));
      for (const error of await Promise.all(calls)) expect(error).toBeInstanceOf(errorClass);
      expect(await GET.invoke(client, { timeout: 3_000 })).toMatchObject({ type: 'individual' });
      await until(() => client.stats().lanes[0]?.inFlight === 0, 'nothing is in flight');
    }),
  );

  it('whose answer comes after the call has ended changes nothing', () => {
    const { opened, open } = gate();
    const transport = fetchTransport({
      fetch: async (url, init) => {
        if (String(url).includes('hang')) await opened;
        return fetch(url, { ...init, signal: null });
      },
    });
    return scene({ client: { transport, maxRetries: 0 } }, async ({ service, client }) => {
      service.script = () => ({ body: '{"data":1}' });
      const error = await failure(client.request({ ...hang, timeout: 50 }));
      open();
      await service.arrived(1);
      await client.request({ method: 'GET', path: '/v1/ok' });
      await sleep(20);
      expect(error).toBeInstanceOf(TimeoutError);
      expect(client.stats()).toMatchObject({ succeeded: 1, failed: 1, lanes: [{ inFlight: 0 }] });
    });
  });
});

describe.concurrent('a schema that never settles', () => {
  const schema: StandardSchema<string> = { '~standard': { version: 1, vendor: 'tests', validate: never } };
  const read = { method: 'GET', path: '/v1/things', schema } as const;
  const write = { method: 'POST', path: '/v1/things', body: {}, schema } as const;

  it('timeout ends a read and a write; the write was applied', () =>
    scene({}, async ({ service, client }) => {
      const errors = [
        await failure(client.request({ ...read, timeout: 800 })),
        await failure(client.request({ ...write, timeout: 800 })),
      ];
      for (const error of errors) expect(error).toBeInstanceOf(TimeoutError);
      expect(errors.map(({ outcome }) => outcome)).toEqual(['not_applied', 'applied']);
      expect(service.requests).toHaveLength(2);
      expect(client.stats()).toMatchObject({ running: 0, failed: 2 });
    }));

  it('the signal ends it', () =>
    scene({}, async ({ service, client }) => {
      const controller = new AbortController();
      const call = failure(client.request({ ...write, signal: controller.signal }));
      await service.arrived(1);
      await until(() => client.stats().lanes[0]?.inFlight === 0, 'the answer has come');
      controller.abort('enough');
      const error = await call;
      expect(error).toBeInstanceOf(AbortedError);
      expect(error).toMatchObject({ outcome: 'applied', cause: 'enough', operation: 'POST' });
    }));

  it('close() waits for its call, and not for ever', () =>
    scene({}, async ({ service, client }) => {
      const call = failure(client.request({ ...write, timeout: 150 }));
      // On a busy machine its time may be up before it is sent.
      await Promise.race([service.arrived(1), call]);
      const end = await Promise.race([client.close().then(() => 'closed'), sleep(3_000, 'hangs')]);
      expect(end).toBe('closed');
      expect(await call).toBeInstanceOf(TimeoutError);
    }));
});

describe.concurrent.each(WAYS)('a provider asked in the lane that never settles (%s)', (over) => {
  const providers: readonly (readonly [string, ClientOptions])[] = [
    ['signer', { signer: { sign: never } }],
    ['nonce source', { nonce: { next: never } }],
  ];

  it.each(providers)('%s: its call fails after attemptTimeout, and another client goes on', (_, options) =>
    scene({ over }, async ({ service, client, connect }) => {
      await GET.invoke(client);
      const hung = failure(KEYED.invoke(connect({ ...options, attemptTimeout: 500 })));
      const others = [GET, KEYED, UNKEYED].map((kind) => kind.invoke(client, { timeout: 4_000 }));
      await Promise.all(others);
      const error = await hung;
      expect(error).toBeInstanceOf(ProviderError);
      expect(error).toMatchObject({ outcome: 'not_applied', operation: 'funds.withdrawalAddresses.save' });
      expect(service.requests).toHaveLength(4);
      expect(service.refused).toEqual([]);
      expect(client.stats().lanes[0]).toMatchObject({ inFlight: 0, waiting: 0 });
    }),
  );

  it('each call of such a client holds up the others once, not for its whole timeout', () =>
    scene({ over }, async ({ client, connect }) => {
      const hanging = connect({ signer: { sign: never }, attemptTimeout: 100 });
      const hung = [1, 2, 3].map(() => failure(GET.invoke(hanging)));
      expect(await GET.invoke(client, { timeout: 5_000 })).toMatchObject({ type: 'individual' });
      for (const error of await Promise.all(hung)) expect(error).toBeInstanceOf(ProviderError);
    }));

  it('that settles after all sends nothing', () => {
    const { opened, open } = gate();
    const sign = () => opened.then(() => 'late');
    return scene({ over, service: { signatures: false } }, async ({ service, client, connect }) => {
      const late = connect({ signer: { sign }, attemptTimeout: 60 });
      expect(await failure(execute(late))).toBeInstanceOf(ProviderError);
      open();
      await sleep(40);
      expect(service.requests).toEqual([]);
      await GET.invoke(client);
      expect(service.requests).toHaveLength(1);
    });
  });

  const execute = (client: Parameters<typeof KEYED.invoke>[0]) =>
    client.accounts.quotes.execute(ACCOUNT, 'quote', { maxRetries: 3 });
});
