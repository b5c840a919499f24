import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PartnerClient, PartnerError, ProviderError, TimeoutError } from '../../../src/index.js';
import {
  ACCOUNT,
  type ClientOptions,
  failure,
  GET,
  KEYED,
  KINDS,
  type PerCall,
  scene,
  WAYS,
} from '../../support/scene.js';
import { type Answer, rightAnswer, status } from '../../support/service.js';
import { gate } from '../../support/until.js';

const now = { 'retry-after': '0' };
const wallet = { via: 'bitcoin', address: 'bc1qexample' };

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => unhandled.push(reason);
beforeAll(() => process.on('unhandledRejection', onUnhandled));
afterAll(async () => {
  await sleep(20);
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});

/** The ways in which a function of the caller's can fail. */
const ways: Readonly<Record<string, (cause: unknown) => () => never | Promise<never>>> = {
  throws: (cause) => () => {
    throw cause;
  },
  rejects: (cause) => async () => {
    throw cause;
  },
  'rejects later': (cause) => async () => {
    await sleep(10);
    throw cause;
  },
};

/** Each provider with a function in its place. */
const providers: Readonly<Record<string, (give: () => never | Promise<never>) => ClientOptions>> = {
  signer: (give) => ({ signer: { sign: give }, otp: '1' }),
  'secret function': (give) => ({ apiSecret: give, otp: '1' }),
  'nonce source': (give) => ({ nonce: { next: give }, otp: '1' }),
  'OTP provider': (give) => ({ otp: give }),
};

/** An operation that asks every provider there is. */
const whitelist = (client: PartnerClient, options?: PerCall) =>
  client.accounts.wallets.whitelist(ACCOUNT, wallet, options);

describe.concurrent('a provider that fails ends the call with a ProviderError', () => {
  for (const [provider, make] of Object.entries(providers)) {
    for (const [way, fail] of Object.entries(ways)) {
      it.each([new Error('out of order'), 'plain text'])(
        `${provider} ${way}: nothing is sent, and what it fails with is the cause: %s`,
        (cause) =>
          scene({ client: make(fail(cause)) }, async ({ service, client }) => {
            const error = await failure(whitelist(client), ProviderError);
            expect(error.cause).toBe(cause);
            expect(error).toMatchObject({ outcome: 'not_applied', operation: 'accounts.wallets.whitelist' });
            await sleep(20);
            expect(service.requests).toHaveLength(0);
          }),
      );
    }

    it(`${provider} never settles: the deadline ends the call, nothing was sent`, () =>
      scene({ client: make(never) }, async ({ service, client }) => {
        const error = await failure(whitelist(client, { timeout: 150 }));
        expect(error instanceof TimeoutError || error instanceof ProviderError).toBe(true);
        expect(error.outcome).toBe('not_applied');
        expect(service.requests).toHaveLength(0);
      }));

    it(`${provider} never settles: abort ends the call`, () =>
      scene({ client: make(never) }, async ({ client }) => {
        const controller = new AbortController();
        const call = failure(whitelist(client, { signal: controller.signal }));
        setTimeout(() => controller.abort('stop'), 50);
        expect(await call).toMatchObject({ name: 'AbortedError', cause: 'stop', outcome: 'not_applied' });
      }));
  }
});

function never(): Promise<never> {
  return new Promise<never>(() => undefined);
}

describe.concurrent('a provider that gives something useless', () => {
  const useless: readonly (readonly [string, object])[] = [
    ['a signature that is undefined', { signer: { sign: () => undefined } }],
    ['a signature with a line break', { signer: { sign: () => 'a\r\nX: y' } }],
    ['a nonce that is a number', { nonce: { next: () => 5 } }],
    ['a negative nonce', { nonce: { next: () => -1n } }],
    ['a nonce beyond 64 bits', { nonce: { next: () => 2n ** 64n } }],
    ['a secret that is no text', { apiSecret: () => 7 }],
    ['an OTP that is no text', { otp: () => ({}) }],
    ['an empty OTP', { otp: () => '' }],
    ['an OTP with a line break', { otp: () => '1\r\n2' }],
  ];
  it.each(useless)('%s: nothing is sent, and the lane works on', (_, options) =>
    scene({}, async ({ service, client, connect }) => {
      const error = await failure(whitelist(connect({ otp: '1', ...options } as ClientOptions), { timeout: 3_000 }));
      expect(error).toBeInstanceOf(PartnerError);
      expect(error).toMatchObject({ name: 'ProviderError', outcome: 'not_applied' });
      expect(service.requests).toHaveLength(0);
      await GET.invoke(client);
    }),
  );
});

describe.concurrent.each(WAYS)('a provider that fails for one call (%s)', (over) => {
  it('does not hold up the others: a signer that fails now and then', () => {
    let count = 0;
    const sign = async () => {
      count += 1;
      if (count % 4 === 2) throw new Error('now and then');
      return 'text';
    };
    return scene(
      { over, service: { signatures: false, nonces: 'any' }, client: { signer: { sign } } },
      async ({ service, client }) => {
        const ends = await Promise.allSettled(Array.from({ length: 40 }, () => KEYED.invoke(client)));
        const failed = ends.filter(({ status: end }) => end === 'rejected');
        expect(failed).toHaveLength(10);
        for (const end of failed)
          expect(end).toMatchObject({ reason: { name: 'ProviderError', outcome: 'not_applied' } });
        expect(service.requests).toHaveLength(30);
        expect(service.refused).toEqual([]);
      },
    );
  });

  const doubtful: readonly (readonly [string, Answer, string])[] = [
    ['429', status(429, now), 'not_applied'],
    ['503', status(503, now), 'unknown'],
    ['a lost answer', { fault: 'reset' }, 'unknown'],
    ['a 2xx that is cut', { body: '{"data":{"via":"bitcoin"}}', fault: 'cut' }, 'applied'],
  ];
  /** Each provider by a function that fails when it is asked a second time. */
  const failing: Readonly<Record<string, (give: <T>(value: T) => T) => ClientOptions>> = {
    signer: (give) => ({ signer: { sign: () => give('text') }, otp: '1' }),
    'nonce source': (give) => ({ nonce: { next: () => give(100n) }, otp: '1' }),
    'OTP provider': (give) => ({ otp: () => give('1') }),
  };
  for (const [name, answer, outcome] of doubtful) {
    it.each(Object.entries(failing))(`%s fails at the repeat after ${name}: ${outcome}`, (_, make) => {
      let asked = 0;
      const client = make((value) => {
        asked += 1;
        if (asked > 1) throw new Error('second');
        return value;
      });
      const lenient = { nonces: 'any', signatures: false } as const;
      return scene({ service: lenient, over, answers: [answer], client }, async ({ service, client }) => {
        const error = await failure(whitelist(client), ProviderError, { outcome, cause: { message: 'second' } });
        expect(error.idempotencyKey).toBe(service.requests[0]?.key);
        expect(service.requests).toHaveLength(1);
      });
    });
  }
});

describe.concurrent('OTP', () => {
  it('a string stays the same over the attempts', () =>
    scene({ answers: [status(503, now)], client: { otp: '123456' } }, async ({ service, client }) => {
      await whitelist(client);
      expect(service.requests.map(({ headers }) => headers['api-otp'])).toEqual(['123456', '123456']);
    }));

  it('a provider is asked once per attempt, with the name of the operation', () => {
    const asked: string[] = [];
    const otp = async (operation: string) => {
      asked.push(operation);
      return `otp-${asked.length}`;
    };
    const answers = [status(503, now), { fault: 'reset' as const }, status(429, now)];
    return scene({ answers, client: { otp } }, async ({ service, client }) => {
      await whitelist(client);
      expect(service.requests.map(({ headers }) => headers['api-otp'])).toEqual(['otp-1', 'otp-2', 'otp-3', 'otp-4']);
      expect(asked).toEqual(Array.from({ length: 4 }, () => 'accounts.wallets.whitelist'));
    });
  });

  it('a function of the client is asked for every write, and for no read', () => {
    const asked: string[] = [];
    const otp = (operation: string) => {
      asked.push(operation);
      return operation === KEYED.operation ? 'otp' : undefined;
    };
    return scene({ client: { otp } }, async ({ service, client }) => {
      for (const kind of KINDS) await kind.invoke(client);
      expect(asked).toEqual(KINDS.filter(({ read }) => !read).map(({ operation }) => operation ?? expect.any(String)));
      const sent = service.requests.map(({ headers }) => headers['api-otp']);
      expect(sent).toEqual(KINDS.map(({ operation }) => (operation === KEYED.operation ? 'otp' : undefined)));
    });
  });

  it('a function that gives none where one is required ends the call before sending', () =>
    scene({ client: { otp: async () => undefined } }, async ({ service, client }) => {
      const error = await failure(whitelist(client), ProviderError);
      expect(error).toMatchObject({ outcome: 'not_applied', cause: { message: expect.stringContaining('none') } });
      expect(service.requests).toHaveLength(0);
    }));

  it('a text of the client goes with whitelisting alone', () =>
    scene({ client: { otp: '123456' } }, async ({ service, client }) => {
      for (const kind of KINDS) await kind.invoke(client);
      await whitelist(client);
      const sent = service.requests.map(({ headers }) => headers['api-otp']);
      expect(sent).toEqual([...KINDS.map(() => undefined), '123456']);
    }));

  it('a slow provider does not hold up calls that need none', () =>
    scene({ service: { nonces: 'any' } }, async ({ service, client, connect }) => {
      const { opened, open } = gate();
      const wallets = whitelist(connect({ otp: () => opened.then(() => 'late') }));
      service.script = rightAnswer;
      await Promise.all(Array.from({ length: 10 }, () => GET.invoke(client)));
      expect(service.requests).toHaveLength(10);
      open();
      await wallets;
      expect(service.refused).toEqual([]);
    }));
});
