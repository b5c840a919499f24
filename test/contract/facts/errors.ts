import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { ApiError, RequestValidationError } from '../../../src/index.js';
import type { ClientStage, Fact, Reply } from '../fact.js';
import { IDS } from '../ids.js';
import { failure } from '../service.js';

const USD = { symbol: 'USD', type: 'fiat' };
const BTC = { symbol: 'BTC', type: 'crypto' };
const QUOTE = { from: { ...USD, amount: '250' }, to: BTC };

interface ErrorBody {
  readonly type: string;
  readonly status: number;
  readonly code: string;
  readonly causes?: readonly Readonly<Record<string, unknown>>[];
}
const errorOf = ({ json }: Reply): ErrorBody => (json as { error: ErrorBody }).error;

/** What a call throws whose response is a failure. */
async function thrown({ client, service }: ClientStage, status: number, code: string, more = {}): Promise<ApiError> {
  const times = status === 401 ? 2 : 1;
  for (let time = 0; time < times; time++) service.answers(failure(status, code, more));
  const error = await client.users.get(IDS.userId, { maxRetries: 0 }).catch((one: unknown) => one);
  if (error instanceof ApiError) return error;
  throw error;
}

const CODES = [
  [400, 'bad_request', 'BadRequestError'],
  [401, 'unauthenticated', 'UnauthenticatedError'],
  [403, 'forbidden', 'ForbiddenError'],
  [404, 'not_found', 'NotFoundError'],
  [409, 'conflict', 'ConflictError'],
  [429, 'resource_exhausted', 'ResourceExhaustedError'],
  [500, 'internal', 'InternalError'],
  [501, 'unimplemented', 'UnimplementedError'],
  [503, 'unavailable', 'UnavailableError'],
  [504, 'deadline_exceeded', 'DeadlineExceededError'],
] as const;

export const errors: readonly Fact[] = [
  {
    fact: 'An error has type, status, instance and code, and perhaps doc_url and causes.',
    source: 'specified',
    document: ['{"error": {"type": "request_error", "status": 404, "code": "not_found", "instance":'],
    client: async (stage) => {
      const error = await thrown(stage, 404, 'user_not_found', { doc_url: 'https://docs.example/errors' });
      expect(error).toMatchObject({ response: { status: 404 }, code: 'user_not_found', instance: 'req_404_1f7c' });
      expect(error).toMatchObject({ type: 'request_error', docUrl: 'https://docs.example/errors' });
    },
    sandbox: async ({ send, ids }) => {
      const reply = await send({ target: `/v1/accounts/${ids.accountId}/quotes/none` });
      expect(reply.status).toBe(404);
      const string = expect.any(String);
      expect(errorOf(reply)).toMatchObject({ type: string, status: 404, instance: string, code: string });
    },
  },
  {
    fact: 'Ten statuses have a code each.',
    source: 'specified',
    client: async (stage) => {
      for (const [status, code, name] of CODES) {
        expect(await thrown(stage, status, code)).toMatchObject({ response: { status }, code, name });
      }
    },
    sandbox: async ({ send, sandbox, ids }) => {
      for (const [status, code] of CODES) {
        // Without a code, a 403 is the gateway's.
        sandbox.fail({ fault: status, ...(status === 403 && { code }) });
        const reply = await send({ target: `/v1/users/${ids.userId}` });
        // The user's own code is more exact.
        expect([reply.status, errorOf(reply).code]).toEqual([status, status === 404 ? 'user_not_found' : code]);
      }
    },
  },
  {
    fact: 'Causes of a validation error are {field, message}; they may also be {code, param, detail}.',
    source: 'current',
    client: async (stage) => {
      const causes = [
        { field: 'from.amount', message: 'is too low' },
        { code: 'invalid', param: 'to.symbol', detail: 'is unknown' },
      ];
      expect((await thrown(stage, 400, 'bad_request', { causes })).causes).toMatchObject(causes);
    },
    sandbox: async ({ send, ids }) => {
      const target = `/v1/accounts/${ids.accountId}/quotes`;
      const reply = await send({ target, method: 'POST', body: { from: USD } });
      expect([reply.status, errorOf(reply).code]).toEqual([400, 'bad_request']);
      const causes = errorOf(reply).causes ?? [];
      expect(causes.length).toBeGreaterThan(0);
      for (const cause of causes)
        expect(cause).toMatchObject({ field: expect.any(String), message: expect.any(String) });
    },
  },
  {
    fact: 'Operations of funds have errors of the type funding_error; the gateway has a 403 of its own, of the type service_error.',
    source: 'specified',
    client: async (stage) => {
      expect(await thrown(stage, 403, 'gateway', { type: 'service_error' })).toMatchObject({
        name: 'ForbiddenError',
        code: 'gateway',
        type: 'service_error',
      });
    },
    sandbox: async ({ send, ids }) => {
      const target = `/v1/accounts/${ids.accountId}/funds/deposits/limits/${'A'.repeat(17)}`;
      const reply = await send({ target });
      expect([reply.status, errorOf(reply).type]).toEqual([400, 'funding_error']);
      expect(errorOf(reply).causes).toMatchObject([{ field: 'asset_symbol' }]);
    },
  },
  {
    fact: 'A 404 has the code not_found and the type request_error, or a code of its resource: user_not_found, bank_link_not_found.',
    source: 'specified',
    client: async (stage) => {
      expect(await thrown(stage, 404, 'bank_link_not_found')).toMatchObject({ name: 'NotFoundError' });
    },
    sandbox: async ({ send, ids, sandbox }) => {
      const account = `/v1/accounts/${ids.accountId}`;
      const codes = [
        ['/v1/users/AA00000000000000', 'user_not_found'],
        [`${account}/funds/bank-links/${sandbox.fixtures.unlinkedBankLinkId}`, 'bank_link_not_found'],
        [`${account}/quotes/none`, 'not_found'],
      ] as const;
      for (const [target, code] of codes) {
        const reply = await send({ target });
        expect([reply.status, errorOf(reply).code]).toEqual([404, code]);
      }
    },
  },
  {
    fact: 'Saving an address under a name that is taken is a 409 conflict of the type state_error.',
    source: 'specified',
    client: async (stage) => {
      expect(await thrown(stage, 409, 'conflict', { type: 'state_error' })).toMatchObject({ name: 'ConflictError' });
    },
    sandbox: async ({ send, ids }) => {
      const target = `/v1/accounts/${ids.accountId}/funds/withdrawals/addresses`;
      const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
      const save = (key: string) => {
        const body = { asset_symbol: 'BTC', method_id: ids.methodId, key, address };
        return send({ target, method: 'POST', body, headers: { 'Idempotency-Key': randomUUID() } });
      };
      expect((await save('twice')).status).toBe(200);
      const reply = await save('twice');
      expect([reply.status, errorOf(reply).code, errorOf(reply).type]).toEqual([409, 'conflict', 'state_error']);
    },
  },
  {
    fact: 'Executing a quote that has expired is a 410, whose code is not known.',
    source: 'current',
    client: async (stage) => {
      expect(await thrown(stage, 410, 'of_a_gone_quote')).toMatchObject({ name: 'GoneError', code: 'of_a_gone_quote' });
    },
    sandbox: async ({ send, ids, sandbox }) => {
      sandbox.advance(31_000);
      const target = `/v1/accounts/${ids.accountId}/quotes/${ids.quoteId}/execute`;
      expect((await send({ target, method: 'POST' })).status).toBe(410);
    },
  },
  {
    fact: 'A quote with both amounts or with neither is a 400; so is a condition with both prices or neither.',
    source: 'specified',
    client: async ({ client, service }) => {
      for (const amount of [undefined, '1']) {
        // As a program without types does.
        const sides = { from: { ...USD, amount }, to: { ...BTC, amount } } as unknown as typeof QUOTE;
        const when = { base: BTC, quote: USD, drops_to: amount, rises_to: amount } as unknown as { drops_to: string };
        for (const call of [
          client.accounts.quotes.create(IDS.accountId, sides),
          client.accounts.priceTriggerSwaps.create(IDS.accountId, {
            trade: QUOTE,
            when: { base: BTC, quote: USD, ...when, rises_to: undefined, ...when } as {
              base: typeof BTC;
              quote: typeof USD;
              drops_to: string;
            },
          }),
        ]) {
          await expect(call).rejects.toThrow(RequestValidationError);
        }
      }
      expect(service.received).toEqual([]);
    },
    sandbox: async ({ send, ids }) => {
      const account = `/v1/accounts/${ids.accountId}`;
      for (const amount of [undefined, '1']) {
        const sides = { from: { ...USD, amount }, to: { ...BTC, amount } };
        const when = { base: BTC, quote: USD, drops_to: amount, rises_to: amount };
        for (const [path, body] of [
          ['quotes', sides],
          ['price-trigger-swaps', { trade: QUOTE, when }],
        ] as const) {
          const { status } = await send({ target: `${account}/${path}`, method: 'POST', body });
          expect([path, amount, status]).toEqual([path, amount, 400]);
        }
      }
    },
  },
  {
    fact: 'Cancelling a price-trigger swap that has ended is a 409 price_trigger_swap_not_cancellable.',
    source: 'current',
    client: async (stage) => {
      const code = 'price_trigger_swap_not_cancellable';
      expect(await thrown(stage, 409, code)).toMatchObject({ name: 'ConflictError', code });
    },
    sandbox: async ({ send, ids }) => {
      const target = `/v1/accounts/${ids.accountId}/price-trigger-swaps`;
      const body = { trade: QUOTE, when: { base: BTC, quote: USD, drops_to: '60000' } };
      const { json } = await send({ target, method: 'POST', body });
      const cancel = `${target}/${(json as { data: { id: string } }).data.id}/cancel`;
      expect((await send({ target: cancel, method: 'POST' })).status).toBe(200);
      const reply = await send({ target: cancel, method: 'POST' });
      expect([reply.status, errorOf(reply).code]).toEqual([409, 'price_trigger_swap_not_cancellable']);
    },
  },
];
