import { describe, expect, it } from 'vitest';
import { AbortedError, type PartnerClient, type PartnerError, TimeoutError } from '../../../src/index.js';
import type { TransportRequest } from '../../../src/transport/connections.js';
import { watched } from '../../support/fake-transport.js';
import {
  ACCOUNT,
  type ClientOptions,
  failure,
  GET,
  KEYED,
  type PerCall,
  saveBody,
  scene,
  transportFor,
  WAYS,
} from '../../support/scene.js';
import { json, rightAnswer, type Service, type ServiceOptions } from '../../support/service.js';
import { gate, until } from '../../support/until.js';

/** A call of the kind that its place says, which carries its place: reads, keyed and unkeyed writes, deletions. */
function callAt(client: PartnerClient, place: number, options: PerCall = {}): Promise<unknown> {
  const digits = String(place).padStart(4, '0');
  switch (place % 5) {
    case 0:
      return client.users.get(`USER-0000-0000-${digits}`, options);
    case 1:
      return client.funds.withdrawalAddresses.save(ACCOUNT, { ...saveBody, key: digits }, options);
    case 2:
      return client.request({ method: 'POST', path: `/v1/things/${digits}`, body: { thing: true }, ...options });
    case 3:
      return client.funds.addresses.delete(ACCOUNT, `ABcdefg-hijkl-mn${digits}`, options);
    default:
      return client.request({ method: 'PUT', path: `/v1/things/${digits}`, body: {}, idempotent: true, ...options });
  }
}

/** The place of the call that a request belongs to. */
function placeOf({ path, body = new Uint8Array() }: Pick<TransportRequest, 'path' | 'body'>): number {
  const saved = () => JSON.parse(Buffer.from(body).toString()) as { key: string };
  const digits = path.endsWith('/addresses') ? saved().key : path.slice(-4);
  return Number(digits);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, place) => place);

/** The service answers nothing before it is told to. */
function hold(service: Service): () => void {
  const { opened, open } = gate();
  service.script = async (request) => {
    await opened;
    return request.path.includes('/things/') ? json(200, { data: true }) : rightAnswer(request);
  };
  return open;
}

describe.concurrent.each(WAYS)('calls are sent in the order in which they were made (%s)', (over) => {
  /** Clients of one lane, and the places of the calls in the order in which they were sent first. */
  const inOrder = (
    options: ClientOptions,
    run: (connect: () => PartnerClient, sent: () => number[], service: Service) => Promise<void>,
    serviceOptions: ServiceOptions = {},
  ) =>
    scene({ over, service: serviceOptions }, async ({ service, connect }) => {
      const places = new Set<number>();
      const transport = watched(transportFor(service), (request) => void places.add(placeOf(request)));
      hold(service)();
      await run(
        () => connect({ ...options, transport }),
        () => [...places],
        service,
      );
    });

  it.each(['adaptive', 'strict'] as const)('%s: reads, keyed and unkeyed writes mixed', (nonceOrder) =>
    inOrder({ nonceOrder }, async (connect, sent) => {
      const client = connect();
      await Promise.all(upTo(200).map((place) => callAt(client, place)));
      expect(sent()).toEqual(upTo(200));
    }),
  );

  it('also when two clients make them', () =>
    inOrder({}, async (connect, sent) => {
      const [client, other] = [connect(), connect()];
      await Promise.all(upTo(100).map((place) => callAt(place % 3 === 0 ? other : client, place)));
      expect(sent()).toEqual(upTo(100));
    }));

  it('also when nonces and signatures take their time', () => {
    let asked = 0;
    const slowly = async <T>(value: T): Promise<T> => {
      asked += 1;
      await new Promise((resolve) => setTimeout(resolve, asked % 3));
      return value;
    };
    let nonce = 0n;
    const options = {
      nonce: { next: () => slowly(++nonce) },
      signer: { sign: () => slowly('signature') },
    };
    const run = async (connect: () => PartnerClient, sent: () => number[]) => {
      const client = connect();
      await Promise.all(upTo(60).map((place) => callAt(client, place)));
      expect(sent()).toEqual(upTo(60));
    };
    return inOrder(options, run, { signatures: false });
  });

  it('those that leave the queue leave the order of the others as it is', () =>
    scene({ over, client: { nonceOrder: 'strict' } }, async ({ service, client }) => {
      const open = hold(service);
      const controllers = upTo(60).map(() => new AbortController());
      const calls = controllers.map(({ signal }, place) => callAt(client, place, { signal }));
      await service.arrived(1);
      const leaving = upTo(60).filter((place) => place > 0 && (place % 4 === 1 || place > 55));
      const errors = leaving.map((place) => failure(calls[place] ?? Promise.resolve()));
      for (const place of [...leaving].reverse()) controllers[place]?.abort();
      for (const error of await Promise.all(errors)) {
        expect(error).toBeInstanceOf(AbortedError);
        expect(error).toMatchObject({ outcome: 'not_applied', attempts: { count: 0 } });
      }
      open();
      const staying = upTo(60).filter((place) => !leaving.includes(place));
      await Promise.all(staying.map((place) => calls[place]));
      expect(service.requests.map(placeOf)).toEqual(staying);
    }));
});

describe.concurrent.each(WAYS)('a call that ends on the wire harms no other (%s)', (over) => {
  const kinds = [
    ['a read', GET, 'not_applied'],
    ['a keyed write', KEYED, 'unknown'],
  ] as const;
  const endings: readonly (readonly [string, (end: AbortController) => PerCall, unknown])[] = [
    ['aborted', ({ signal }) => ({ signal }), AbortedError],
    ['timed out', () => ({ timeout: 1_500 }), TimeoutError],
  ];
  for (const [where, place] of [
    ['the head', 0],
    ['the middle', 4],
    ['the tail', 7],
  ] as const) {
    for (const [what, kind, outcome] of kinds) {
      for (const [how, options, type] of endings) {
        it(`${what} at ${where}, ${how}: it ends at once, the others are sent once and succeed`, () =>
          scene({ over, service: { nonces: 'any' } }, async ({ service, client }) => {
            const open = hold(service);
            const end = new AbortController();
            const others: Promise<{ response: { attempts: number } }>[] = [];
            let ended: Promise<PartnerError> | undefined;
            for (const each of upTo(8)) {
              if (each === place) ended = failure(kind.invoke(client, options(end)));
              else others.push((each % 2 ? KEYED : GET).invoke(client).withResponse());
            }
            await service.arrived(8);
            end.abort();
            // Nothing has been answered yet.
            const error = await ended;
            expect(error).toBeInstanceOf(type);
            expect(error).toMatchObject({ outcome, attempts: { count: 1 } });
            open();
            for (const { response } of await Promise.all(others)) expect(response.attempts).toBe(1);
            expect(service.requests).toHaveLength(8);
            await until(() => client.stats().lanes[0]?.inFlight === 0, 'nothing is in flight');
            await GET.invoke(client);
            expect(service.requests).toHaveLength(9);
          }));
      }
    }
  }
});

describe.concurrent('a call that ends while its nonce or signature is awaited', () => {
  it.each(['nonce', 'signer'] as const)(
    '%s: it ends at once, is never sent, and the others go on meanwhile',
    (provider) => {
      const { opened, open } = gate();
      let asked = 0;
      let nonce = 0n;
      const first = async <T>(value: T): Promise<T> => {
        asked += 1;
        if (asked === 1) await opened;
        return value;
      };
      const slow = {
        nonce: { nonce: { next: () => first(++nonce) } },
        signer: { signer: { sign: () => first('signature') } },
      };
      return scene({ service: { signatures: false }, client: slow[provider] }, async ({ service, client }) => {
        const controller = new AbortController();
        const ended = failure(KEYED.invoke(client, { signal: controller.signal }));
        const others = upTo(20).map((place) => (place % 2 ? KEYED : GET).invoke(client));
        await until(() => asked === 1, 'it is asked for');
        expect(service.requests).toHaveLength(0);
        controller.abort();
        const error = await ended;
        expect(error).toBeInstanceOf(AbortedError);
        expect(error).toMatchObject({ outcome: 'not_applied' });
        await Promise.all(others);
        open();
        await GET.invoke(client);
        expect(service.requests).toHaveLength(21);
        expect(client.stats().lanes[0]).toMatchObject({ inFlight: 0, waiting: 0 });
      });
    },
  );
});
