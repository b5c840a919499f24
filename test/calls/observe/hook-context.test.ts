import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type RunEvent, undiciTransport } from '../../../src/index.js';
import type { CoordinatedNonceSource } from '../../../src/signing/nonce.js';
import { HmacSigner } from '../../../src/signing/signer.js';
import { watched } from '../../support/fake-transport.js';
import { type ClientOptions, failure, GET, KEYED, scene, USER } from '../../support/scene.js';
import { rightAnswer, status } from '../../support/service.js';
import { gate } from '../../support/until.js';
import { type Hooks, warningsOf } from '../support/recorder.js';

const now = { 'retry-after': '0' };

/** A client whose every function writes down the store that it sees. */
function context(way: 'at once' | 'later') {
  const storage = new AsyncLocalStorage<string>();
  const seen: string[] = [];
  const note = (who: string) => void seen.push(`${storage.getStore() ?? 'nothing'}: ${who}`);
  const answer = <T>(value: T): T | Promise<T> => (way === 'at once' ? value : sleep(2).then(() => value));
  const named = ({ kind, callId, attempt }: RunEvent) => (kind === 'call' ? callId : `${callId}/${attempt}`);
  const hmac = new HmacSigner();
  const transport = watched(undiciTransport(), (request) => {
    if (request.headers['x-bystander'] === undefined) note('transport');
  });
  const draw = () => ++last;
  let last = BigInt(Date.now()) * 1_000_000n;
  const noteEvent = (name: string) => (event: { callId: string }) => note(`${name} of ${event.callId}`);
  const hooks: Hooks = {
    run: (event, next) => storage.run(named(event), next),
    onStart: noteEvent('onStart'),
    onRequest: noteEvent('onRequest'),
    onEnd: noteEvent('onEnd'),
  };
  const nonce: CoordinatedNonceSource = {
    next: () => {
      note('nonce');
      return answer(draw());
    },
    done: () => note('done'),
  };
  const options: ClientOptions = {
    hooks,
    transport,
    nonce,
    signer: (input) => {
      note('signer');
      return way === 'at once' ? hmac.sign(input) : sleep(2).then(() => hmac.sign(input));
    },
    otp: (operation) => {
      note(`otp for ${operation}`);
      return answer('123456');
    },
  };
  return { seen, note, options, draw };
}

describe.each(['at once', 'later'] as const)('functions that answer %s', (way) => {
  it('run in the context that hooks.run set up, in every attempt of calls that share a lane', async () => {
    const { seen, note, options, draw } = context(way);
    await scene(
      { client: { ...options, nonceOrder: 'strict', maxRetries: 6 } },
      async ({ service, client, connect }) => {
        const { apiSecret } = service;
        const secret = async () => {
          note('secret');
          return apiSecret;
        };
        // Another client on the same lane, without hooks: attempts begin in its context as well.
        const headers = { 'x-bystander': '1' };
        const bystander = connect({ transport: options.transport, nonce: { next: draw }, headers });
        const own = connect({ ...options, apiSecret: secret, nonceOrder: 'strict', maxRetries: 6 });
        // Of the calls with hooks: the bystander's could otherwise meet all of them.
        let busy = 6;
        service.script = (request) =>
          request.headers['x-bystander'] === undefined && busy-- > 0 ? status(503, now) : rightAnswer(request);
        const calls = [client, own, bystander, client, own, client, bystander].map((each) =>
          each.users.get(USER, each === bystander ? {} : { otp: options.otp }),
        );
        await Promise.all(calls);
      },
    );
    // Both calls of the client with the secret function ask at least once.
    const secrets = seen.filter((line) => line.endsWith(': secret'));
    expect(secrets.length).toBeGreaterThanOrEqual(2);
    for (const line of secrets) expect(line).toMatch(/^[\w-]+\/\d+: secret$/);
    const attempts = new Map<string, string[]>();
    for (const line of seen) {
      const [store = '', who = ''] = line.split(': ');
      if (!/^on|^done$|^secret$/.test(who)) attempts.set(store, [...(attempts.get(store) ?? []), who]);
    }
    // Five calls, and six of their retries: who meets a 503 depends on who comes first to the lane.
    expect(attempts.size).toBe(11);
    for (const [store, functions] of attempts) {
      expect(store).toMatch(/^[\w-]+\/\d+$/);
      expect(functions).toEqual(['otp for users.get', 'nonce', 'signer', 'transport']);
    }
    for (const line of seen.filter((one) => one.includes('onRequest'))) {
      const [, store, id] = /^(.*?)\/\d+: onRequest of (.*)$/.exec(line) ?? [];
      expect(store).toBe(id);
    }
    for (const line of seen.filter((one) => one.includes('onStart') || one.includes('onEnd'))) {
      expect(line).toMatch(/^(\S+): on(Start|End) of \1$/);
    }
    for (const line of seen.filter((one) => one.endsWith(': done'))) expect(line).toMatch(/^[\w-]+\/\d+: done$/);
  });
});

it('the context of the caller reaches onRequest where the lane is waited for, without run', async () => {
  const storage = new AsyncLocalStorage<number>();
  const stores: (number | undefined)[] = [];
  const hooks: Hooks = { onRequest: () => void stores.push(storage.getStore()) };
  await scene({ client: { hooks, nonceOrder: 'strict' } }, async ({ client }) => {
    await Promise.all([1, 2, 3, 4].map((store) => storage.run(store, () => GET.invoke(client))));
  });
  expect(stores).toEqual([1, 2, 3, 4]);
});

it('run wraps the call, and inside it each attempt, and next() is fulfilled when it is over, whatever came of it', async () => {
  const log: string[] = [];
  const hooks: Hooks = {
    async run({ kind, operation, attempt }, next) {
      log.push(`${kind} ${attempt ?? operation} begins`);
      await next();
      log.push(`${kind} ${attempt ?? operation} is over`);
    },
  };
  await scene({ answers: [status(503, now), status(404)], client: { hooks } }, async ({ client }) => {
    await failure(GET.invoke(client));
    await sleep(1);
  });
  expect(log).toEqual([
    'call users.get begins',
    'attempt 1 begins',
    'attempt 1 is over',
    'attempt 2 begins',
    'attempt 2 is over',
    'call users.get is over',
  ]);
});

it('a call with hooks.run is still sent before the method returns, over a connection that is open', async () => {
  const sent: string[] = [];
  const hooks: Hooks = { run: (_event, next) => next() };
  const transport = watched(undiciTransport(), ({ path }) => void sent.push(path));
  await scene({ client: { hooks, transport } }, async ({ client }) => {
    await GET.invoke(client);
    const call = GET.invoke(client);
    expect(sent).toHaveLength(2);
    await call;
  });
});

describe('a run that does not do as it should changes no call, and is reported once', () => {
  const broken = () => {
    throw new Error('run is broken');
  };
  const THREW = /^the hook run .*Error: run is broken/;
  const LATE = /^the hook run .*before it called next\(\)/;
  const wrong: Readonly<Record<string, readonly [run: NonNullable<Hooks['run']>, warning: RegExp | undefined]>> = {
    'throws before next()': [broken, THREW],
    'throws after next()': [
      (_event, next) => {
        void next();
        broken();
      },
      THREW,
    ],
    'rejects after next()': [(_event, next) => next().then(broken), THREW],
    'never calls next()': [() => undefined, LATE],
    'calls next() too late': [(_event, next) => sleep(1).then(next), LATE],
    'calls next() twice': [
      (_event, next) => {
        void next();
        void next();
      },
      undefined,
    ],
  };
  it.each(Object.entries(wrong))('%s', async (_, [run, warning]) => {
    const warnings = await warningsOf(() =>
      scene({ client: { hooks: { run } } }, async ({ service, client }) => {
        service.answers(status(503, now));
        expect((await KEYED.invoke(client).withResponse()).response.attempts).toBe(2);
        service.answers(status(404));
        expect(await failure(GET.invoke(client))).toMatchObject({ response: { status: 404 }, attempts: { count: 1 } });
        expect(service.requests).toHaveLength(3);
        await sleep(10);
      }),
    );
    expect(warnings).toHaveLength(warning === undefined ? 0 : 1);
    if (warning !== undefined) expect(String(warnings[0]?.[0])).toMatch(warning);
  });
});

describe('the warning of a failing function', () => {
  it('shows the error escaped and clipped, with the places of its stack as detail', async () => {
    const nonce = {
      next: () => BigInt(Date.now()) * 1_000_000n,
      done: () => {
        throw new RangeError(`\u001b[2J\nforged line ${'x'.repeat(1_000)}`);
      },
    };
    const warnings = await warningsOf(() => scene({ client: { nonce } }, ({ client }) => GET.invoke(client).then()));
    expect(warnings).toHaveLength(1);
    const [message = '', options] = warnings[0] as readonly [string, object];
    expect(message).toMatch(
      /^the nonce source's done\(\) given to partner-sdk failed; .*RangeError: \\u001b\[2J\\u000aforged line x+…$/,
    );
    expect(message.length).toBeLessThan(450);
    const detail = expect.stringMatching(/^ +at .*hook-context\.test/);
    expect(options).toMatchObject({ code: 'PARTNER_SDK_HOOK', detail });
  });
});

it('a held lane lets nothing of a call begin twice when its run is entered again', async () => {
  const begun: string[] = [];
  const hooks: Hooks = {
    run({ kind, attempt }, next) {
      begun.push(`${kind}${attempt ?? ''}`);
      return next();
    },
  };
  await scene({ client: { hooks, nonceOrder: 'strict' } }, async ({ service, client }) => {
    const { opened, open } = gate();
    service.answers({ ...status(404), hold: opened });
    const first = GET.invoke(client).catch(() => undefined);
    const second = GET.invoke(client);
    await sleep(20);
    expect(begun).toEqual(['call', 'attempt1', 'call', 'attempt1']);
    open();
    await first;
    await second;
    expect(service.requests).toHaveLength(2);
  });
});
