import { describe, expect, it } from 'vitest';
import { failure, GET, KEYED, scene } from '../../support/scene.js';
import { type Answer, html, json } from '../../support/service.js';

it('a code that was cut short is not shown, because its beginning would be another code', () =>
  scene(
    { answers: [{ ...json(409, { error: { code: `conflict_${'x'.repeat(40)}` } }), fault: 'cut' }] },
    async ({ client }) => {
      await failure(KEYED.invoke(client), undefined, { outcome: 'not_applied', code: '' });
    },
  ));

describe.concurrent('a 5xx is a gateway\u2019s unless its body is the service\u2019s error envelope with its code', () => {
  const envelope = { type: 'service_error', status: 500, instance: 'in-500', code: 'internal' };
  const without: readonly (readonly [string, Answer])[] = [
    ['an empty body', { status: 500 }],
    ['plain text', { status: 500, body: 'upstream connect error' }],
    ['JSON of another form', json(500, { message: 'Internal server error' })],
    ['a text as error', json(500, { error: 'bad gateway' })],
    ['a null error', json(500, { error: null })],
    ['a code that is a number', json(500, { error: { code: 502, message: 'bad gateway' } })],
    ['an empty code', json(500, { error: { ...envelope, code: '' } })],
    ['an envelope that is cut', { ...json(500, { error: envelope }), fault: 'cut' }],
  ];
  it.each(without)('%s: a read and a keyed write are made again', (_, answer) =>
    scene({}, async ({ service, client }) => {
      for (const kind of [GET, KEYED]) {
        service.answers(answer);
        expect((await kind.invoke(client).withResponse()).response.attempts).toBe(2);
      }
    }),
  );

  it.each([
    ['all its members', envelope],
    ['more members', { ...envelope, doc_url: 'https://docs.test', causes: [{ field: 'a' }], later: 1 }],
    ['its code alone', { code: 'internal' }],
  ])('%s: it is the service\u2019s own, and stops', (_, error) =>
    scene({}, async ({ service, client }) => {
      for (const kind of [GET, KEYED]) {
        service.answers(json(500, { error }));
        await failure(kind.invoke(client), undefined, { code: 'internal', attempts: { count: 1 } });
      }
    }),
  );

  it('Retry-After of a gateway is honoured, and ends the call when it is too long', () =>
    scene({}, async ({ service, client }) => {
      service.answers({ ...html(502), headers: { 'retry-after': '1' } });
      await GET.invoke(client);
      const [first, second] = service.requests;
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
      service.answers({ ...html(502), headers: { 'retry-after': '40' } });
      const error = await failure(GET.invoke(client));
      expect(error).toMatchObject({ response: { status: 502 }, code: '', retryAfter: 40_000, attempts: { count: 1 } });
    }));
});
