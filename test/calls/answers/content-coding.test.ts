import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { Agent } from 'undici';
import { afterAll, describe, expect, it } from 'vitest';
import {
  ApiError,
  ConnectionError,
  fetchTransport,
  ResponseValidationError,
  undiciTransport,
} from '../../../src/index.js';
import { ACCOUNT, type ClientOptions, failure, GET, KEYED, scene, UNKEYED, USER } from '../../support/scene.js';
import { type Answer, html, json, type Protocol, rightAnswer, status, userOf } from '../../support/service.js';

type Encode = (bytes: Uint8Array) => Uint8Array;

const CODINGS: Readonly<Record<string, Encode>> = {
  gzip: gzipSync,
  'X-GZIP': gzipSync,
  deflate: deflateSync,
  'deflate ': deflateRawSync,
  br: brotliCompressSync,
  'gzip, br': (bytes) => brotliCompressSync(gzipSync(bytes)),
  'deflate , GZIP': (bytes) => gzipSync(deflateSync(bytes)),
};

function encoded(coding: string, answer: Answer, encode: Encode = CODINGS[coding] ?? ((bytes) => bytes)): Answer {
  const body = encode(Buffer.from(answer.body ?? ''));
  return { ...answer, body, headers: { ...answer.headers, 'content-encoding': coding.trim() } };
}

const huge = json(200, { data: { more: 'x'.repeat(5_000_000) } });
const bombs = ['gzip', 'deflate', 'br', 'gzip, br'].map((coding) => encoded(coding, huge));

const agent = new Agent();
afterAll(() => agent.close());

/** The transports whose bodies the client decodes itself. */
const ways: readonly (readonly [string, Protocol, () => ClientOptions])[] = [
  ['HTTP/1.1', 'http', () => ({})],
  ['HTTP/2', 'http2', () => ({})],
  ['a dispatcher', 'http', () => ({ transport: undiciTransport({ dispatcher: agent }) })],
];
const fetching = ['fetch', 'http', () => ({ transport: fetchTransport() })] as const;

describe.concurrent.each([...ways, fetching])('a compressed response is read (%s)', (_, over, options) => {
  it('though the client asks for none', () =>
    scene({ over, client: options() }, async ({ service, client }) => {
      await GET.invoke(client);
      expect(service.requests[0]?.headers['accept-encoding']).toBe('identity');
    }));

  it.each(Object.keys(CODINGS))('%s', (coding) =>
    scene({ over, client: options() }, async ({ service, client }) => {
      service.script = (request) => encoded(coding, rightAnswer(request));
      const { data, response } = await GET.invoke(client).withResponse();
      expect(data).toMatchObject({ id: USER });
      expect(response.attempts).toBe(1);
      expect(await KEYED.invoke(client)).toEqual({ key: 'cold', tag: null });
      service.script = () => encoded(coding, status(409));
      await failure(KEYED.invoke(client), ApiError, { code: 'conflict', outcome: 'not_applied' });
      service.script = () => encoded(coding, status(500));
      const error = await failure(GET.invoke(client), ApiError, { code: 'internal' });
      expect(error.attempts.count).toBe(1);
    }),
  );

  it('in many chunks', () =>
    scene({ over, client: options() }, async ({ service, client }) => {
      const note = Array.from({ length: 50_000 }, (_, at) => at).join();
      const answer = encoded('gzip', json(200, { data: { ...userOf(USER), note } }));
      service.script = () => ({ ...answer, chunked: true });
      expect(await GET.invoke(client)).toMatchObject({ note });
    }));

  it('and one without a body has no coding', () =>
    scene({ over, client: options() }, async ({ service, client }) => {
      service.script = () => ({ status: 204, headers: { 'content-encoding': 'gzip' } });
      await client.accounts.priceTriggerSwaps.cancel(ACCOUNT, 'id');
    }));

  it('within maxResponseBytes of decoded bytes', () =>
    scene({ over, client: { ...options(), maxResponseBytes: 60_000 } }, async ({ service, client }) => {
      for (const bomb of bombs) {
        service.answers(bomb);
        const error = await failure(UNKEYED.invoke(client), ResponseValidationError);
        expect(error.issues).toEqual([{ path: '', message: expect.stringContaining('maxResponseBytes (60000)') }]);
      }
      expect(await GET.invoke(client)).toMatchObject({ id: USER });
    }));
});

const right = json(200, { data: userOf(USER) });
const damaged: Encode = (bytes) => gzipSync(bytes).map((byte, at) => (at > 30 ? byte ^ 0x55 : byte));

describe.concurrent.each(ways)('a response that is not compressed as its header says (%s)', (_, over, options) => {
  it('is read if the coding is identity', () =>
    scene({ over, client: options() }, async ({ service, client }) => {
      for (const coding of ['identity', 'identity, gzip', ' ,gzip']) {
        service.script = (request) =>
          encoded(coding, rightAnswer(request), (bytes) => (coding === 'identity' ? bytes : gzipSync(bytes)));
        expect(await GET.invoke(client)).toMatchObject({ id: USER });
      }
    }));

  it('is read if it is JSON: a proxy has decoded it and left the header', () =>
    scene({ over, client: options() }, async ({ service, client }) => {
      service.script = (request) => encoded('gzip', rightAnswer(request), (bytes) => bytes);
      expect(await GET.invoke(client)).toMatchObject({ id: USER });
      service.script = () => encoded('br', status(409), (bytes) => bytes);
      await failure(KEYED.invoke(client), ApiError, { code: 'conflict' });
    }));

  it.each(['gzip', 'deflate', 'br'])('counts as a body that broke off if its end is missing: %s', (coding) =>
    scene({ over, client: options() }, async ({ service, client }) => {
      const cut = encoded(coding, right, (bytes) => CODINGS[coding]?.(bytes).subarray(0, -2) ?? bytes);
      service.answers(cut);
      expect((await GET.invoke(client).withResponse()).response.attempts).toBe(2);
      service.answers(cut);
      expect((await KEYED.invoke(client).withResponse()).response.attempts).toBe(2);
      service.answers(cut);
      const error = await failure(UNKEYED.invoke(client), ConnectionError);
      expect(error.message).toContain('its compressed body ends too early');
      expect(error.attempts.failures).toEqual([{ reason: 'lost', status: 200, code: undefined }]);
    }),
  );

  it.each(['cut', 'stall'] as const)('shows what came of a rejection whose body breaks off (%s)', (fault) =>
    scene({ over, client: options() }, async ({ service, client }) => {
      const error = { code: 'conflict', causes: Array.from({ length: 300 }, (_, at) => ({ field: `${at * 7919}` })) };
      service.script = () => ({ ...encoded('gzip', json(409, { error })), fault });
      const body = expect.stringContaining('{"error":{"code":"conflict","causes":[{"field":"0"},{"field":"7919"}');
      await failure(KEYED.invoke(client, { attemptTimeout: 800 }), ApiError, { body });
      expect(service.requests).toHaveLength(1);
    }),
  );

  it('is no JSON if it is damaged', () =>
    scene({ over, client: options() }, async ({ service, client }) => {
      service.answers(encoded('gzip', right, damaged));
      expect((await GET.invoke(client).withResponse()).response.attempts).toBe(2);
      service.script = () => encoded('gzip', right, damaged);
      const error = await failure(KEYED.invoke(client), ResponseValidationError, { notJson: true });
      expect(error.issues).toEqual([{ path: '', message: 'the body is not JSON (application/json)' }]);
    }));

  it('is no JSON if the client does not read its coding, which the error names', () =>
    scene({ over, client: options() }, async ({ service, client }) => {
      for (const coding of ['zstd', 'gzip, zstd', 'compress', 'dcb, br']) {
        const name = coding.replace(/gzip, |, br/, '');
        const message = `the response is encoded with ${name}, which the client does not read`;
        const bytes = () => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58]);
        service.script = () => encoded(coding, right, bytes);
        const unread = await failure(KEYED.invoke(client), ResponseValidationError, { notJson: true });
        expect(unread.issues).toEqual([{ path: '', message }]);
        service.script = () => encoded(coding, status(409), bytes);
        const rejected = await failure(KEYED.invoke(client), ApiError, { code: '' });
        expect(rejected.message).toContain(message);
      }
    }));

  it('is no JSON if it has more codings than any server applies', () =>
    scene({ over, client: options() }, async ({ service, client }) => {
      service.script = () =>
        encoded(Array(6).fill('gzip').join(), right, (bytes) =>
          Array(6)
            .fill(gzipSync)
            .reduce((all, one) => one(all), bytes),
        );
      await failure(KEYED.invoke(client), ResponseValidationError, { notJson: true });
    }));
});

it('a body that fetch has decoded is not decoded again, although its header is still there', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const twice = gzipSync(String(right.body));
  for (const [body, expected] of [
    [right.body as string, { id: USER }],
    [twice, undefined],
  ] as const) {
    const transport = fetchTransport({ fetch: async () => new Response(body, { headers }) });
    await scene({ client: { transport, maxRetries: 0 } }, async ({ client }) => {
      if (expected === undefined) await failure(GET.invoke(client), ResponseValidationError, { notJson: true });
      else expect(await GET.invoke(client)).toMatchObject(expected);
    });
  }
});

it("the page of a proxy is the error's body, decoded", () =>
  scene({ answers: [encoded('gzip', html(403))] }, async ({ client }) => {
    await failure(KEYED.invoke(client), ApiError, { code: '', body: html(403).body });
  }));
