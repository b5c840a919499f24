import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fetchTransport, type PartnerClient, RequestValidationError } from '../../../src/index.js';
import { runsOf } from '../../support/runs.js';
import { scene } from '../../support/scene.js';
import { ACCOUNT, invoke, OPERATIONS, operation, withId } from '../support/operations.js';
import { BASE_URL, issuePaths, rejection, Service, startService } from '../support/service.js';

const service = startService();

/** Text of any characters; as long as an account id may be, whether units or characters are counted. */
const anyId = fc.oneof(
  fc.string({ unit: 'binary', minLength: 14, maxLength: 21 }),
  fc.string({ unit: fc.constantFrom(...`/\\%.?#&=+;:@ !'()*~"<>[]{}|^\`é2eE\n\0`), minLength: 14, maxLength: 21 }),
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }),
  fc.string({ unit: fc.constantFrom(...`/\\%.?#&=+;:@ !'()*~"<>[]{}|^\`é2eE\n\0`), minLength: 1, maxLength: 100 }),
);
const notDots = (id: string): boolean => id !== '.' && id !== '..';

/** The parts that follow the host, exactly as the transport was given them. */
const afterHost = (url: string): string => url.slice(BASE_URL.length);
const urlOf = (input: string | URL | Request): string => (input instanceof Request ? input.url : String(input));

describe('through fetch', () => {
  const asked: string[] = [];
  const direct = new Service();
  const transport = fetchTransport({
    fetch: (input: string | URL | Request, init?: RequestInit) => {
      asked.push(urlOf(input));
      return direct.handle(new Request(input, init));
    },
  });
  const once = async (send: (client: PartnerClient) => PromiseLike<unknown>) => {
    asked.length = 0;
    const client = direct.client({ transport });
    await send(client);
    const received = direct.only;
    const url = asked[0] ?? '';
    // What was handed over is already in the form a URL parser would give it: nothing between here and the wire changes it.
    expect(afterHost(url)).toBe(new URL(url).pathname + new URL(url).search);
    expect(received.path).toBe(afterHost(url));
    await direct.endTest();
    return received;
  };

  it('any two path ids arrive as they were given, and the path sent is the path signed', async () => {
    const getQuote = operation('accounts.quotes.get');
    await fc.assert(
      fc.asyncProperty(anyId, anyText.filter(notDots), async (account, text) => {
        const quote = text.slice(0, 64);
        fc.pre(quote.length <= 64 && notDots(quote));
        direct.answerJson(getQuote.answer);
        const { pathname } = await once((client) => client.accounts.quotes.get(account, quote));
        const parts = pathname.split('/');
        expect(parts).toHaveLength(6);
        expect([parts[3], parts[5]].map((part) => decodeURIComponent(part ?? ''))).toEqual([account, quote]);
      }),
      { numRuns: runsOf(150) },
    );
  });

  it('any query text arrives as it was given, and the query sent is the query signed', async () => {
    const ramp = operation('rampQuotes.prospective');
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (from_method, subdivision) => {
        direct.answerJson(ramp.answer);
        const { query } = await once((client) => client.rampQuotes.prospective({ from_method, subdivision }));
        expect([...query].sort()).toEqual([
          ['from_method', from_method],
          ['subdivision', subdivision],
        ]);
      }),
      { numRuns: runsOf(150) },
    );
  });

  it('any text in a body arrives as it was given, signed by its bytes', async () => {
    const save = operation('funds.withdrawalAddresses.update');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), anyText.filter(notDots), async (new_key, key) => {
        direct.answerJson(save.answer);
        const { body, pathname } = await once((client) =>
          client.funds.withdrawalAddresses.update(ACCOUNT, key, { new_key }),
        );
        expect(JSON.parse(body)).toEqual({ new_key });
        expect(decodeURIComponent(pathname.split('/').at(-1) ?? '')).toBe(key);
      }),
      { numRuns: runsOf(100) },
    );
  });
});

it('through the default transport the request line holds the signed path to the byte, and what was asked for', () =>
  scene({}, async ({ service, client }) => {
    service.script = () => ({ body: '{"data":1}' });
    await fc.assert(
      fc.asyncProperty(anyId, anyText, async (user_id, page_token) => {
        const params = { user_id };
        await client.request({ method: 'GET', path: '/v1/users/{user_id}', params, query: { page_token } });
        const { path = '', signed } = service.requests.at(-1) ?? {};
        expect(signed).toBe(true);
        const url = new URL(path, service.url);
        expect(url.pathname + url.search).toBe(path);
        expect(decodeURIComponent(url.pathname.split('/')[3] ?? '')).toBe(user_id);
        expect([...url.searchParams]).toEqual([['page_token', page_token]]);
      }),
      { numRuns: runsOf(60) },
    );
  }));

describe('ids that cannot be a part of a path', () => {
  const places = OPERATIONS.flatMap((op) => op.ids.map((_, index) => ({ op, name: op.name, index })));

  it.each(places)('$name refuses a lone surrogate as id $index', async ({ op, index }) => {
    const client = service.client();
    for (const lone of ['\ud800', '\udc00', '\udc00\ud800']) {
      const error = await rejection(() => invoke(op, client, { ids: withId(op, index, `padding-${lone}-x`) }));
      expect(error).toBeInstanceOf(RequestValidationError);
    }
    expect(service.received).toEqual([]);
  });

  it.each([
    ['accounts.quotes.get', 1, 'quote_id'],
    ['accounts.quotes.execute', 1, 'quote_id'],
    ['funds.withdrawalAddresses.update', 1, 'key'],
    ['funds.addresses.delete', 0, 'account_id'],
    ['funds.depositLimits.list', 1, 'asset_symbol'],
  ])('%s refuses dots as id %i', async (name, index, member) => {
    const client = service.client();
    const op = operation(name);
    for (const dots of ['.', '..']) {
      expect(await issuePaths(() => invoke(op, client, { ids: withId(op, index, dots) }))).toEqual([member]);
    }
    expect(service.received).toEqual([]);
  });

  it.each(['...', '.a', '%2e', '%2E%2e', '. ', '..%2f'])('%j is an id like any other', async (id) => {
    service.answerJson(operation('accounts.quotes.get').answer);
    await service.client().accounts.quotes.get(ACCOUNT, id);
    expect(decodeURIComponent(service.only.pathname.split('/')[5] ?? '')).toBe(id);
  });

  it('a lone surrogate in the query is refused too', async () => {
    const client = service.client();
    await rejection(client.rampQuotes.prospective({ from_method: 'a\ud800' }), RequestValidationError);
    expect(service.received).toEqual([]);
  });
});
