import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  AbortedError,
  type PartnerClient,
  ProviderError,
  TimeoutError,
  UnauthenticatedError,
} from '../../../src/index.js';
import type { CoordinatedNonceSource } from '../../../src/signing/nonce.js';
import { failure, GET, KEYED, newKey, scene, WAYS } from '../../support/scene.js';
import { rightAnswer, type Service, status } from '../../support/service.js';
import { gate, until } from '../../support/until.js';

class Recorder implements CoordinatedNonceSource {
  readonly given: bigint[] = [];
  readonly over: bigint[] = [];
  readonly told: string[] = [];
  #last = 0n;

  next(_apiKey: string): bigint | Promise<bigint> {
    this.#last += 10n;
    this.given.push(this.#last);
    return this.#last;
  }

  done(_apiKey: string, nonce: bigint): void {
    this.over.push(nonce);
  }

  open(apiKeys: readonly string[]): void {
    this.told.push(`open ${apiKeys.length}`);
  }

  async close(apiKeys: readonly string[]): Promise<void> {
    this.told.push(`close ${apiKeys.length}, ${this.over.length} of ${this.given.length} over`);
  }
}

const inOrder = (nonces: readonly bigint[]) => [...nonces].sort((one, other) => (one < other ? -1 : 1));

async function expectAllOver(source: Recorder): Promise<void> {
  await until(() => source.over.length === source.given.length, 'every nonce is over');
  expect(inOrder(source.over)).toEqual(source.given);
}

describe.concurrent.each(WAYS)('a shared nonce source is told once of each nonce that is over (%s)', (over) => {
  it.each<[string, (client: PartnerClient, service: Service) => Promise<unknown>]>([
    ['answered', (client) => Promise.all(Array.from({ length: 20 }, () => KEYED.invoke(client)))],
    [
      'refused and made again',
      (client, service) => {
        service.answers(status(503, { 'retry-after': '0' }), status(429, { 'retry-after': '0' }));
        return Promise.all([GET.invoke(client), KEYED.invoke(client)]);
      },
    ],
    [
      'lost with its connection',
      (client, service) => {
        service.answers({ fault: 'reset' });
        return Promise.all(Array.from({ length: 10 }, () => KEYED.invoke(client)));
      },
    ],
    [
      'aborted on the wire',
      async (client, service) => {
        const open = service.hold();
        const controller = new AbortController();
        const call = failure(GET.invoke(client, { signal: controller.signal }));
        await service.arrived(1);
        controller.abort();
        await call;
        await sleep(20);
        open();
      },
    ],
    [
      'too slow',
      (client, service) => {
        service.answers({ fault: 'silent' });
        return GET.invoke(client, { attemptTimeout: 800 });
      },
    ],
  ])('%s', (_, run) =>
    scene({ over }, async ({ service, connect }) => {
      const source = new Recorder();
      await run(connect({ nonce: source }), service);
      await expectAllOver(source);
      expect(source.given.length).toBeGreaterThanOrEqual(service.requests.length);
    }),
  );

  it('never sent: the signer failed', () =>
    scene({ over }, async ({ connect }) => {
      const source = new Recorder();
      const signer = () => {
        throw new Error('no key');
      };
      expect(await failure(GET.invoke(connect({ nonce: source, signer })))).toBeInstanceOf(ProviderError);
      await expectAllOver(source);
    }));

  it('never sent: the call ended while the source took its time', () =>
    scene({ over }, async ({ service, connect }) => {
      const source = new Recorder();
      const { opened, open } = gate();
      const next = source.next.bind(source);
      const asked = gate();
      source.next = (apiKey) => {
        asked.open();
        return opened.then(() => next(apiKey));
      };
      const controller = new AbortController();
      const client = connect({ nonce: source });
      const call = failure(GET.invoke(client, { signal: controller.signal }));
      await asked.opened;
      controller.abort();
      expect(await call).toBeInstanceOf(AbortedError);
      open();
      await GET.invoke(client);
      await expectAllOver(source);
      expect(source.given).toHaveLength(2);
      expect(service.requests).toHaveLength(1);
    }));

  it('never sent: the call ended while the signer took its time, and then that failed', () =>
    scene({ over }, async ({ client: other, connect }) => {
      // The connection is there.
      await GET.invoke(other);
      const source = new Recorder();
      const { opened, open } = gate();
      const signer = () =>
        opened.then((): string => {
          throw new Error('no key');
        });
      expect(await failure(GET.invoke(connect({ nonce: source, signer }), { timeout: 50 }))).toBeInstanceOf(
        TimeoutError,
      );
      open();
      await expectAllOver(source);
      await sleep(20);
      expect(source.over).toEqual([10n]);
    }));

  it('and may take longer than an attempt to give one: it has to wait for its turn', () =>
    scene({ over }, async ({ service, connect }) => {
      const source = new Recorder();
      const next = source.next.bind(source);
      source.next = (apiKey) => sleep(1_500).then(() => next(apiKey));
      await GET.invoke(connect({ nonce: source, attemptTimeout: 1_000 }));
      expect(service.requests).toHaveLength(1);
    }));

  it('a signer that hangs is still bounded by attemptTimeout, whether the nonce came at once or not', () =>
    scene({ over }, async ({ connect }) => {
      for (const wait of [0, 20]) {
        const source = new Recorder();
        const next = source.next.bind(source);
        if (wait > 0) source.next = (apiKey) => sleep(wait).then(() => next(apiKey));
        const signer = () => new Promise<string>(() => undefined);
        const client = connect({ nonce: source, signer, attemptTimeout: 400 });
        const error = await failure(GET.invoke(client), ProviderError);
        expect(error.message).toContain('signer');
        await expectAllOver(source);
      }
    }));
});

describe.concurrent('a refusal that this process cannot explain', () => {
  const refusedOnce = (service: Service) => service.answers(status(401));

  it('is a race when the source knows of a later nonce: made again, up to four times', () =>
    scene({}, async ({ service, connect }) => {
      const asked: bigint[] = [];
      const source = Object.assign(new Recorder(), {
        overtaken: async (_: string, nonce: bigint): Promise<boolean> => asked.push(nonce) > 0,
      });
      refusedOnce(service);
      const client = connect({ nonce: source });
      const { response } = await KEYED.invoke(client).withResponse();
      expect(response.attempts).toBe(2);
      expect(asked).toEqual([10n]);
      expect(client.stats().lanes[0]).toMatchObject({ races: 1 });
      service.script = () => status(401);
      const error = await failure(GET.invoke(client));
      expect(error.attempts.failures.map(({ reason }) => reason)).toEqual(Array.from({ length: 5 }, () => 'race'));
    }));

  it('is an answer if nothing could overtake the attempt: it was the last after four races', () =>
    scene({}, async ({ service, connect }) => {
      let asked = 0;
      const source = Object.assign(new Recorder(), { overtaken: () => ++asked <= 4 });
      service.script = () => status(401);
      const error = await failure(GET.invoke(connect({ nonce: source })), UnauthenticatedError);
      expect(error.attempts.failures.map(({ reason }) => reason)).toEqual([...Array(4).fill('race'), 'status']);
      expect(service.requests).toHaveLength(5);
    }));

  it.each([
    ['knows of none', (): boolean => false],
    [
      'fails',
      (): boolean => {
        throw new Error('down');
      },
    ],
    ['fails later', (): Promise<boolean> => Promise.reject(new Error('down'))],
  ] as const)('is a refusal when the source %s, which one more attempt follows', (_, overtaken) =>
    scene({}, async ({ service, connect }) => {
      service.answers(status(401), status(401));
      const error = await failure(GET.invoke(connect({ nonce: Object.assign(new Recorder(), { overtaken }) })));
      expect(error).toBeInstanceOf(UnauthenticatedError);
      expect(error.attempts.failures.map(({ reason }) => reason)).toEqual(['status', 'status']);
    }),
  );

  it('stays a refusal when the call ends while the source is asked; no other call waits for that', () =>
    scene({}, async ({ service, connect }) => {
      refusedOnce(service);
      const overtaken = () => new Promise<boolean>(() => undefined);
      const client = connect({ nonce: Object.assign(new Recorder(), { overtaken }) });
      const call = failure(GET.invoke(client, { timeout: 2_000 }));
      await until(() => client.stats().lanes[0]?.inFlight === 0 && service.requests.length === 1, 'it is refused');
      await GET.invoke(client);
      expect(await call).toBeInstanceOf(UnauthenticatedError);
    }));
});

describe.concurrent('API keys that processes take in turn', () => {
  const credentialsOf = (service: Service, count: number) => {
    const all = Array.from({ length: count }, (_, place) => ({ apiKey: `key-${place}`, apiSecret: service.apiSecret }));
    for (const { apiKey, apiSecret } of all) service.secrets.set(apiKey, apiSecret);
    return all;
  };

  it('calls go out on those that are usable now, the least busy first', () =>
    scene({ service: { nonces: 'any' } }, async ({ service, connect }) => {
      let usable = ['key-1', 'key-3'];
      const source = Object.assign(new Recorder(), { usable: () => usable });
      const client = connect({ nonce: source, credentials: credentialsOf(service, 4) });
      await Promise.all(Array.from({ length: 10 }, () => GET.invoke(client)));
      const count = (key: string) => service.requests.filter(({ apiKey }) => apiKey === key).length;
      expect([0, 1, 2, 3].map((place) => count(`key-${place}`))).toEqual([0, 5, 0, 5]);
      usable = ['key-0'];
      await GET.invoke(client);
      expect(count('key-0')).toBe(1);
      usable = ['key-0', 'key-2'];
      const open = service.hold((request) => request.index === 11);
      const long = GET.invoke(client);
      for (let round = 0; round < 4; round += 1) await GET.invoke(client);
      open();
      await long;
      expect([count('key-0'), count('key-2')]).toEqual([2, 4]);
    }));

  it('a call waits for the first; all its attempts use that one', () =>
    scene({}, async ({ service, connect }) => {
      const { opened, open } = gate();
      let asked = 0;
      const usable = () => {
        asked += 1;
        return asked === 1 ? opened.then(() => ['key-2']) : ['key-0'];
      };
      service.answers(status(503, { 'retry-after': '0' }));
      const client = connect({
        nonce: Object.assign(new Recorder(), { usable }),
        credentials: credentialsOf(service, 3),
      });
      const call = KEYED.invoke(client);
      await sleep(20);
      expect(service.requests).toHaveLength(0);
      open();
      await call;
      expect(service.requests.map(({ apiKey }) => apiKey)).toEqual(['key-2', 'key-2']);
    }));

  it('a call that finds none ends by its own time or signal, and nothing was sent', () =>
    scene({}, async ({ service, connect }) => {
      const usable = () => new Promise<string[]>(() => undefined);
      const client = connect({
        nonce: Object.assign(new Recorder(), { usable }),
        credentials: credentialsOf(service, 2),
      });
      const controller = new AbortController();
      const calls = [
        failure(KEYED.invoke(client, { timeout: 100 })),
        failure(KEYED.invoke(client, { signal: controller.signal })),
      ];
      await sleep(20);
      controller.abort();
      const [late, aborted] = await Promise.all(calls);
      expect(late).toBeInstanceOf(TimeoutError);
      expect(aborted).toBeInstanceOf(AbortedError);
      for (const error of [late, aborted]) {
        expect(error).toMatchObject({ outcome: 'not_applied', operation: 'funds.withdrawalAddresses.save' });
        expect(error?.attempts.count).toBe(0);
        // None was drawn: which one it would be depends on the API key.
        expect(error?.idempotencyKey).toBeUndefined();
      }
      expect(service.requests).toHaveLength(0);
      expect(client.stats().running).toBe(0);
    }));

  it.each([
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
    ['gives none', () => []],
    ['gives another', () => ['key-9']],
  ] as const)('a source that %s is a ProviderError, and nothing was sent', (_, usable) =>
    scene({}, async ({ service, connect }) => {
      const nonce = Object.assign(new Recorder(), { usable });
      const error = await failure(KEYED.invoke(connect({ nonce, credentials: credentialsOf(service, 2) })));
      expect(error).toBeInstanceOf(ProviderError);
      expect(error).toMatchObject({ outcome: 'not_applied' });
      expect(service.requests).toHaveLength(0);
    }),
  );

  it('a call with an idempotency key of the caller uses the one that it belongs to, unless keys are partner-wide', () =>
    scene({ service: { nonces: 'any' } }, async ({ service, connect }) => {
      const usable = (keys: readonly string[]) => keys.slice(1);
      const credentials = credentialsOf(service, 2);
      const keys = Array.from({ length: 20 }, newKey);
      const sentWith = async (more: object) => {
        const client = connect({ nonce: Object.assign(new Recorder(), more), credentials });
        const before = service.requests.length;
        for (const idempotencyKey of keys) await KEYED.invoke(client, { idempotencyKey });
        return service.requests.slice(before).map(({ apiKey }) => apiKey);
      };
      const bound = await sentWith({ usable });
      expect(bound).toEqual(await sentWith({}));
      expect(new Set(bound).size).toBe(2);
      expect(new Set(await sentWith({ usable, keysArePartnerWide: true }))).toEqual(new Set(['key-1']));
    }));

  it('are opened with the client, and given back after its last call', () =>
    scene({}, async ({ service, connect }) => {
      const source = new Recorder();
      const client = connect({ nonce: source, credentials: credentialsOf(service, 2) });
      const other = client.withOptions({ timeout: 5_000 });
      expect(source.told).toEqual(['open 2', 'open 2']);
      service.script = (request) => ({ ...rightAnswer(request), delay: 50 });
      const call = GET.invoke(client);
      await Promise.all([client.close(), call]);
      expect(source.told.slice(2)).toEqual(['close 2, 1 of 1 over']);
      await other.close();
      expect(source.told.slice(3)).toEqual(['close 2, 1 of 1 over']);
    }));
});
