import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JournalEntry, Sandbox } from '../../../src/sandbox/index.js';
import { directSandbox } from '../support/direct-partner.js';
import { bodies, openSandbox, PATIENCE, type Partner, requestOf, type TestRequest } from '../support/partner.js';

let sandbox: Sandbox;
let partner: Partner;
beforeEach(() => {
  partner = directSandbox();
  sandbox = partner.sandbox;
});
afterEach(() => sandbox.close());

const send = (request: TestRequest, signal?: AbortSignal) => partner.send(request, signal);
const list: TestRequest = { method: 'GET', path: '/v1/webhooks?page_size=2' };

test('answers as the service on HTTP does', async () => {
  const overHttp = await openSandbox();
  const requests: TestRequest[] = [
    list,
    requestOf(`POST ${partner.account}/quotes`, bodies.quote),
    requestOf(`POST ${partner.account}/quotes`, {}),
    requestOf(`GET /v1/users/${encodeURIComponent(sandbox.fixtures.spacedUserId)}`),
    requestOf('GET /v1/nowhere'),
    requestOf('GET /v1/webhooks', undefined, { 'API-Sign': 'wrong' }),
    requestOf(`DELETE ${partner.account}/funds/addresses/${sandbox.fixtures.addressId}`),
  ];
  for (const request of requests) {
    const [here, there] = [await send(request), await overHttp.send(request)];
    expect([here.status, await here.json()]).toEqual([there.status, await there.json()]);
    expect(here.headers.get('content-type')).toBe(there.headers.get('content-type'));
  }
  const untimed = ({ ms: _, real: __, ...entry }: JournalEntry) => entry;
  expect(sandbox.journal.map(untimed)).toEqual(overHttp.sandbox.journal.map(untimed));
});

test('judges requests in the order in which it was called, whatever their bodies take', async () => {
  const path = `${partner.account}/quotes`;
  const { headers, bytes } = partner.signed({ method: 'POST', path, body: bodies.quote });
  let finish = (): void => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      finish = () => {
        controller.enqueue(bytes ?? new Uint8Array());
        controller.close();
      };
    },
  });
  const slow = new Request(partner.url + path, { method: 'POST', headers, body, duplex: 'half' });
  const answers = Promise.all([sandbox.fetch(slow), send(list)]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(sandbox.journal).toHaveLength(0);
  finish();
  expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
});

test('a body that never comes holds up nobody once its caller aborts', async () => {
  const end = new AbortController();
  const { path, headers } = partner.signed({ method: 'POST', path: `${partner.account}/quotes`, body: bodies.quote });
  const body = new ReadableStream();
  const init = { method: 'POST', headers, body, signal: end.signal, duplex: 'half' } as RequestInit;
  const stuck = sandbox.fetch(new Request(`http://sandbox${path}`, init));
  const behind = send(list);
  end.abort(new Error('enough'));
  await expect(stuck).rejects.toThrow('enough');
  expect((await behind).status).toBe(200);
});

test('refuses a body above 1 MiB', async () => {
  const body = JSON.stringify(bodies.quote).padEnd(1024 * 1024 + 1, ' ');
  expect((await send({ method: 'POST', path: `${partner.account}/quotes`, body })).status).toBe(413);
});

describe('faults', () => {
  test('a reset is the network error of the fetch standard', async () => {
    sandbox.fail({ fault: 'reset' });
    expect(await send(list)).toMatchObject({ type: 'error', status: 0 });
    expect((await send(list)).status).toBe(200);
  });

  test('a truncated body breaks in the middle', async () => {
    sandbox.fail({ fault: 'truncate' });
    const response = await send(list);
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(value?.length).toBe(Math.floor(Number(response.headers.get('content-length')) / 2));
    await expect(reader?.read()).rejects.toThrow(TypeError);
  });

  test('a timeout ends when the caller aborts, with its reason', async () => {
    sandbox.fail({ fault: 'timeout' });
    const controller = new AbortController();
    const answer = send(list, controller.signal);
    await expect.poll(() => sandbox.journal.length, PATIENCE).toBe(1);
    controller.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
  });

  describe('a slow body', () => {
    const page: TestRequest = { ...list, path: '/v1/webhooks?page_size=1' };

    test('comes in pieces to who reads it as it comes', async () => {
      sandbox.fail({ fault: 'slow', bytesPerSecond: 500 });
      const reader = (await send(page)).body?.getReader();
      expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
      await reader?.cancel();
    });

    test.each([
      ['breaks when the caller aborts, with its reason', true],
      ['breaks when the caller aborted before reading on', false],
    ])('%s', async (_, readsFirst) => {
      sandbox.fail({ fault: 'slow', bytesPerSecond: 0.01 });
      const controller = new AbortController();
      const response = await send(page, controller.signal);
      const early = readsFirst ? response.text() : undefined;
      controller.abort(new Error('enough'));
      await expect(early ?? response.text()).rejects.toThrow('enough');
    });

    test('before the effect is one without data', async () => {
      sandbox.fail({ fault: 'slow', when: 'before', bytesPerSecond: 10_000 });
      expect(await (await send(page)).json()).toEqual({ data: {} });
      expect(sandbox.journal[0]).toMatchObject({ verdict: 'fault_before', status: 200 });
    });
  });

  test.each([204, 304])('a status without a body: %d', async (fault) => {
    sandbox.fail({ fault });
    const response = await send(list);
    expect([response.status, await response.text()]).toEqual([fault, '']);
  });
});

test('an aborted request is not judged, and a closed sandbox takes none', async () => {
  await expect(send(list, AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
  await sandbox.close();
  expect((await send(list)).type).toBe('error');
  expect(sandbox.journal).toHaveLength(0);
});
