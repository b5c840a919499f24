import { describe, expect, it } from 'vitest';
import { signWebhook } from '../../../src/webhooks/index.js';
import { gate, until } from '../../support/until.js';
import {
  endpoint,
  executed,
  FAILED,
  failuresOf,
  OK,
  roundTrip,
  SECRET,
  STYLES,
  seconds,
  throwing,
} from '../support/receiving.js';

describe.each(STYLES)('%s: a delivery', (_, style) => {
  it('is handled and answered 200', () =>
    endpoint(style, {}, async ({ deliver, handled, rejected, failures }) => {
      expect(await deliver(executed('evt_1'))).toEqual(OK);
      expect(handled).toMatchObject([{ id: 'evt_1', type: 'quote.executed', data: { id: 'q-1' }, secretIndex: 0 }]);
      expect([rejected, failures]).toEqual([[], []]);
    }));

  it('goes to the function of its kind, else to onEvent', () => {
    const quotes: (string | undefined)[] = [];
    const on = { 'quote.executed': ({ data }: { data: { id?: string | undefined } }) => void quotes.push(data.id) };
    return endpoint(style, { on }, async ({ deliver, handled }) => {
      await deliver(executed('evt_1'));
      await deliver({ event_type: 'swap.failed', reason: 'liquidity' });
      expect(quotes).toEqual(['q-1']);
      expect(handled).toMatchObject([{ type: 'swap.failed', data: { reason: 'liquidity' } }]);
    });
  });

  it.each(['constructor', '__proto__', 'toString'])('of a kind named %s is of no known kind', (type) =>
    endpoint(style, { on: { 'quote.executed': () => {} } }, async ({ deliver, handled }) => {
      expect(await deliver({ event_type: type })).toEqual(OK);
      expect(handled.map((event) => event.type as string)).toEqual([type]);
    }),
  );

  it('is answered once the work is done, not before', () => {
    const work = gate();
    const order: string[] = [];
    return endpoint(style, { onEvent: () => work.opened }, async ({ send, deliver, handled }) => {
      const answer = deliver(executed('evt_1')).then(() => order.push('answered'));
      await until(() => handled.length === 1);
      // An answer that comes too early is there afterwards.
      await roundTrip(send);
      order.push('done');
      work.open();
      await answer;
      expect(order).toEqual(['done', 'answered']);
    });
  });

  it.each(failuresOf('no database'))(
    'whose function %s is answered 500, reported, and handled when it comes again',
    (__, failing) => {
      let calls = 0;
      const onEvent = () => (calls++ === 0 ? failing() : undefined);
      return endpoint(style, { onEvent }, async ({ deliver, handled, failures }) => {
        expect(await deliver(executed('evt_1'))).toEqual(FAILED);
        expect(failures).toMatchObject([{ error: { message: 'no database' }, event: { id: 'evt_1' } }]);
        expect(await deliver(executed('evt_1'))).toEqual(OK);
        expect(handled).toHaveLength(2);
        expect(await deliver(executed('evt_1'))).toEqual(OK);
        expect(handled).toHaveLength(2);
      });
    },
  );

  it.each([
    ['a Response that is no success', async () => new Response('no', { status: 503 })],
    ['promises, of which one rejects', () => [Promise.resolve(), Promise.reject(new Error('no queue'))]],
  ])('whose function returns %s is answered 500, so that it is not lost', (__, onEvent) =>
    endpoint(style, { onEvent }, async ({ deliver, failures }) => {
      expect(await deliver(executed('evt_1'))).toEqual(FAILED);
      expect(failures).toHaveLength(1);
    }),
  );

  it('is verified with each of several secrets, and the event says with which', () => {
    const body = JSON.stringify(executed('evt_1'));
    const secrets = [Buffer.from('the old signing secret').toString('base64'), SECRET];
    const seen: number[] = [];
    const onEvent = ({ secretIndex }: { secretIndex: number }) => void seen.push(secretIndex);
    return style({ secrets, onEvent }, async (send) => {
      expect(await send({ body, headers: signWebhook({ body, secret: SECRET }) })).toEqual(OK);
      expect(seen).toEqual([1]);
    });
  });

  it('may be signed by the scheme of hosted callbacks', () => {
    const body = JSON.stringify({ event_type: 'deposit.completed' });
    const signed = { secret: 'any text', scheme: 'body' } as const;
    return style({ ...signed, onEvent: () => {} }, async (send) => {
      expect(await send({ body, headers: signWebhook({ body, ...signed }) })).toEqual(OK);
    });
  });
});

describe.each(STYLES)('%s: what is no delivery of the service', (_, style) => {
  const body = JSON.stringify(executed('evt_1'));
  const signed = signWebhook({ body, secret: SECRET });

  it.each([
    ['without signature', 'missing_header', { body }],
    ['with another header form', 'bad_format', { body, headers: { 'X-Signature': 'v1=00' } }],
    ['tampered with', 'bad_signature', { body: body.replace('q-1', 'q-2'), headers: signed }],
    ['without a body', 'bad_signature', { body: '', headers: signed }],
    [
      'signed with another secret',
      'bad_signature',
      { body, headers: signWebhook({ body, secret: 'YW5vdGhlciBzaWduaW5nIHNlY3JldA==' }) },
    ],
    ['late', 'too_old', { body, headers: signWebhook({ body, secret: SECRET, timestampSeconds: seconds(-3600) }) }],
    ['early', 'too_new', { body, headers: signWebhook({ body, secret: SECRET, timestampSeconds: seconds(3600) }) }],
  ])('%s is answered 400 with the reason alone, and the operator hears more', (__, reason, request) =>
    endpoint(style, {}, async ({ send, handled, rejected, failures }) => {
      expect(await send(request)).toEqual({ status: 400, word: reason });
      expect(rejected).toEqual([{ status: 400, reason, message: expect.stringMatching(/\w+ \w+/) }]);
      expect([handled, failures]).toEqual([[], []]);
    }),
  );

  it.each(['GET', 'PUT', 'DELETE'])('sent by %s is answered 405', (method) =>
    endpoint(style, {}, async ({ send, handled, rejected }) => {
      expect(await send({ method, headers: signed })).toEqual({ status: 405, word: 'method_not_allowed' });
      expect(rejected).toMatchObject([{ status: 405, reason: 'method_not_allowed' }]);
      expect(handled).toEqual([]);
    }),
  );

  it('is read up to the limit and no further', () =>
    endpoint(style, { maxBodyBytes: body.length }, async ({ send, handled, rejected }) => {
      expect(await send({ body, headers: signed })).toEqual(OK);
      const longer = `${body} `;
      const answer = await send({ body: longer, headers: signWebhook({ body: longer, secret: SECRET }) });
      expect(answer).toEqual({ status: 413, word: 'too_large' });
      expect(rejected).toMatchObject([{ status: 413, reason: 'too_large' }]);
      expect(handled).toHaveLength(1);
    }));

  it('is read up to 1 MiB by default', () =>
    endpoint(style, {}, async ({ send, deliver, handled }) => {
      const data = 'x'.repeat(1024 * 1024 - JSON.stringify({ event_type: 'a.b', data: '' }).length);
      expect(await deliver({ event_type: 'a.b', data })).toEqual(OK);
      expect(await deliver({ event_type: 'a.b', data: `${data}x` })).toEqual({ status: 413, word: 'too_large' });
      const answer = await send({ body: 'x'.repeat(8 * 1024 * 1024), headers: signed });
      expect(answer).toEqual({ status: 413, word: 'too_large' });
      expect(handled).toHaveLength(1);
    }));
});

describe.each(STYLES)('%s: a hook', (_, style) => {
  it.each(failuresOf('broken hook'))('that %s changes no answer', (__, broken) => {
    const onEvent = throwing(new Error('no database'));
    return endpoint(style, { onEvent, onRejected: broken, onError: broken }, async ({ send, deliver }) => {
      expect(await send({ body: 'x' })).toEqual({ status: 400, word: 'missing_header' });
      expect(await deliver(executed('evt_1'))).toEqual(FAILED);
    });
  });
});
