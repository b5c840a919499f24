import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ConnectionError, type PartnerClient } from '../../../src/index.js';
import { type RawService, rightFor, wire } from '../../support/raw-service.js';
import { failure } from '../../support/scene.js';
import { json } from '../../support/service.js';
import { until } from '../../support/until.js';
import { rawScene } from '../support/raw-scene.js';

/** An answer to no request, which every operation without correlation would take. */
const stray = wire(json(200, { data: 'for nobody' }));

/** A call whose answer repeats nothing of it. */
const call = (client: PartnerClient) => client.request({ method: 'GET', path: '/v1/things' });
const right = { done: true };

const unsolicited = (client: PartnerClient) => client.stats().lanes.reduce((sum, lane) => sum + lane.unsolicited, 0);

const closed = (service: RawService, place: number) =>
  until(() => service.sockets[place]?.destroyed === true, `connection ${place + 1} is closed`);

describe.each(['adaptive', 'strict', 'unordered'] as const)('bytes that nobody asked for (%s)', (nonceOrder) => {
  it.each([
    ['a whole answer', stray],
    ['a part of an answer', stray.slice(0, 30)],
    ['two answers', stray + stray],
    ['a refusal of a gateway that closes idle connections', wire({ status: 408, headers: { connection: 'close' } })],
    ['an interim answer', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['no HTTP', 'hello\r\n'],
  ])('close a connection on which nothing is in flight: %s', (_, bytes) =>
    rawScene({ nonceOrder }, async ({ service, client }) => {
      expect(await call(client)).toEqual(right);
      service.sockets[0]?.write(bytes);
      await closed(service, 0);
      expect(await call(client)).toEqual(right);
      expect(service.requests.map(({ connection }) => connection)).toEqual([1, 2]);
      expect(unsolicited(client)).toBe(1);
    }),
  );

  it('close a connection when they come with its last answer', () =>
    rawScene({ nonceOrder }, async ({ service, client }) => {
      service.script = (request) =>
        request.index === 0 ? [rightFor(request), json(200, { data: 1 })] : [rightFor(request)];
      expect(await call(client)).toEqual(right);
      await closed(service, 0);
      expect(await call(client)).toEqual(right);
      expect(unsolicited(client)).toBe(1);
    }));

  it('close a connection when they come before its first request, and nothing is sent over it', () =>
    rawScene({ nonceOrder }, async ({ service, client }) => {
      service.onConnection = (socket) => {
        if (service.sockets.length === 1) socket.write(stray);
      };
      const { data, response } = await call(client).withResponse();
      expect(data).toEqual(right);
      expect(response.attempts).toBe(2);
      expect(service.requests.map(({ connection }) => connection)).toEqual([2]);
      expect(unsolicited(client)).toBe(1);
    }));

  it('on every connection end a call, with nothing applied', () =>
    rawScene({ nonceOrder, maxRetries: 1 }, async ({ service, client }) => {
      service.onConnection = (socket) => void socket.write(stray);
      const error = await failure(client.request({ method: 'POST', path: '/v1/things', body: {} }), ConnectionError);
      expect(error).toMatchObject({ outcome: 'not_applied', attempts: { count: 2 } });
      expect(service.requests).toEqual([]);
      expect(unsolicited(client)).toBe(2);
    }));

  it('are told from an end of the connection, which is not counted', () =>
    rawScene({ nonceOrder }, async ({ service, client }) => {
      await Promise.all(Array.from({ length: 50 }, () => call(client)));
      for (const socket of service.sockets) socket.end();
      for (const place of service.sockets.keys()) await closed(service, place);
      await call(client);
      for (const socket of service.sockets) socket.resetAndDestroy();
      await sleep(20);
      await call(client);
      expect(unsolicited(client)).toBe(0);
    }));
});
