import { describe, expect, it } from 'vitest';
import { BadRequestError, ConflictError, PartnerError, RequestValidationError } from '../../../src/index.js';
import { UUID_V4 } from '../../support/signature.js';
import { ACCOUNT, invoke, operation, type RequestOptions, USER } from '../support/operations.js';
import { settle } from '../support/pages.js';
import { BASE_URL, failure, type Received, rejection, startService, wrong } from '../support/service.js';

const service = startService();
type CustomRequest = Parameters<ReturnType<typeof service.client>['request']>[0];
const save = operation('funds.withdrawalAddresses.save');
const getUser = operation('users.get');

/** The key that the only request so far carried. */
const sentKey = ({ headers }: Received): string | undefined => headers['idempotency-key'];

/** The error of a call that may neither throw nor reject with anything but an error of the package. */
async function refusal(call: () => PromiseLike<unknown>): Promise<PartnerError> {
  let pending: PromiseLike<unknown> | undefined;
  expect(() => {
    pending = call();
  }, 'the call throws in place of rejecting').not.toThrow();
  const error = await rejection(pending ?? Promise.resolve(), PartnerError);
  return error as PartnerError;
}

/** An object whose member cannot be read. */
const unreadable = <T>(member: string, thrown: unknown = new TypeError('do not look')): T =>
  wrong(
    Object.defineProperty({}, member, {
      enumerable: true,
      get: () => {
        throw thrown;
      },
    }),
  );

describe('an answer that is hard to handle keeps class, outcome and key of the error', () => {
  it.each(['abcdefgh\ud800', '\udc00 and more text', 'a \ud800\ud800 b c d e f'])(
    'a refusal of a body with the lone surrogate %j',
    async (key) => {
      service.answer(() => failure(409, 'conflict'));
      const error = await refusal(() => invoke(save, service.client(), { body: { ...save.body, key } }));
      // Refusing it before it is sent would be right as well.
      if (service.received.length === 0) {
        expect(error).toBeInstanceOf(RequestValidationError);
        return;
      }
      expect(error).toBeInstanceOf(ConflictError);
      expect(error).toMatchObject({ code: 'conflict', outcome: 'not_applied', operation: save.name });
      expect(error.idempotencyKey).toMatch(UUID_V4);
      expect(error.idempotencyKey).toBe(sentKey(service.only));
    },
  );

  it.each([
    ['arrays', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['objects', '{"a":'.repeat(20_000) + 1 + '}'.repeat(20_000)],
  ])('causes that are %s, 20,000 deep', async (_, deep) => {
    const text = `{"error":{"type":"request_error","status":400,"instance":"i","code":"bad_request","causes":[{"field":"key","message":"wrong","more":${deep}}]}}`;
    service.answer(() => new Response(text, { status: 400, headers: { 'content-type': 'application/json' } }));
    const error = await refusal(() => invoke(save, service.client()));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ response: { status: 400 }, code: 'bad_request', outcome: 'not_applied' });
    expect(error.idempotencyKey).toBe(sentKey(service.only));
    expect(() => JSON.stringify(error)).not.toThrow();
  });

  it('a success with a value 20,000 deep is read or refused as applied', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    service.answer(() => new Response(`{"data":{"key":"cold","tag":null,"more":${deep}}}`));
    const outcome = await invoke(save, service.client()).then(
      () => 'applied',
      (error: unknown) => (error instanceof PartnerError ? error.outcome : error),
    );
    expect(outcome).toBe('applied');
  });
});

describe('input that cannot be read rejects the promise with an error of the package', () => {
  const options: readonly (readonly [string, RequestOptions])[] = [
    ['a timeout whose getter throws', unreadable('timeout')],
    ['a signal whose getter throws', unreadable('signal')],
    ['headers whose getter throws', unreadable('headers')],
    ['a getter that throws null', unreadable('timeout', null)],
    ['a header whose getter throws', { headers: unreadable('x-team') }],
    ['a signal with a listener list that is no function', wrong({ signal: { aborted: false, addEventListener: 1 } })],
  ];
  it.each(options)('%s', async (_, given) => {
    const client = service.client();
    for (const op of [getUser, save]) {
      const error = await refusal(() => invoke(op, client, {}, given));
      expect(error).toMatchObject({ outcome: 'not_applied', operation: op.name });
    }
    await settle(10);
    expect(service.received).toEqual([]);
    expect(client.stats()).toMatchObject({ running: 0, failed: 2 });
  });

  it.each([
    ['a body', () => service.client().funds.withdrawalAddresses.save(ACCOUNT, unreadable('key'))],
    ['a query', () => service.client().users.assets.list(USER, unreadable('page_size'))],
    ['the options of a list', () => service.client().webhooks.list({}, unreadable('timeout'))],
    ['the query of a request', () => requestWith({ query: unreadable('a') })],
    ['the body of a request', () => requestWith({ method: 'POST', body: unreadable('a') })],
    ['a deep member of the body', () => requestWith({ method: 'POST', body: { a: [unreadable('b')] } })],
    ['the path of a request', () => service.client().request(unreadable<CustomRequest>('path'))],
    ['the options of a request', () => service.client().request(unreadable<CustomRequest>('timeout'))],
  ])('%s with a getter that throws', async (_, call) => {
    const error = await refusal(call);
    expect(error).toMatchObject({ outcome: 'not_applied', attempts: { count: 0 } });
    await settle(10);
    expect(service.received).toEqual([]);
  });

  const requestWith = (members: object) =>
    service.client().request(wrong<CustomRequest>({ method: 'GET', path: '/v1/x', ...members }));

  it('a proxy that refuses everything', async () => {
    const refuse = () => {
      throw new RangeError(`nothing to see at ${BASE_URL}`);
    };
    const given = new Proxy({}, { get: refuse, ownKeys: refuse, has: refuse, getOwnPropertyDescriptor: refuse });
    await refusal(() => invoke(getUser, service.client(), {}, wrong(given)));
    await refusal(() => service.client().request(wrong<CustomRequest>(given)));
    expect(service.received).toEqual([]);
  });
});
