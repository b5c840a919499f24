import { describe, expect, it } from 'vitest';
import * as sdk from '../../../src/index.js';
import { ApiError } from '../../../src/index.js';
import { ACCOUNT, ADDRESS_ID, invoke, OPERATIONS, operation, USER } from '../support/operations.js';
import { failure, rejection, startService } from '../support/service.js';

const service = startService();

const apiError = async (call: PromiseLike<unknown>): Promise<ApiError> => {
  const error = await rejection(call);
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};

describe('what an error says about its call', () => {
  it.each(OPERATIONS)('$name: operation and key', async (op) => {
    service.answer(() => failure(400, 'bad_request'));
    const error = await apiError(invoke(op, service.client()));
    expect(error).toMatchObject({ operation: op.name, outcome: 'not_applied' });
    expect(error.idempotencyKey).toBe(service.only.headers['idempotency-key']);
    expect(error.idempotencyKey === undefined).toBe(op.key === undefined);
  });

  it.each(OPERATIONS)('$name: a 500 leaves a write unknown, and a read not applied', async (op) => {
    service.answer(() => failure(500, 'internal'));
    const error = await apiError(invoke(op, service.client()));
    expect(error.outcome).toBe(op.method === 'GET' ? 'not_applied' : 'unknown');
  });

  it('a conflict is caught by its class', async () => {
    service.answer(() => failure(409, 'conflict', { type: 'state_error' }));
    const save = operation('funds.withdrawalAddresses.save');
    expect(await rejection(invoke(save, service.client()))).toBeInstanceOf(sdk.ConflictError);
  });

  it('404 on a first DELETE moved nothing', async () => {
    service.answer(() => failure(404, 'not_found'));
    const error = await apiError(service.client().funds.addresses.delete(ACCOUNT, ADDRESS_ID));
    expect(error).toMatchObject({ name: 'NotFoundError', outcome: 'not_applied' });
  });

  it('each attempt that was answered has status and code', async () => {
    service.answer((_, index) => (index === 0 ? failure(503, 'unavailable') : failure(404, 'user_not_found')));
    const { attempts } = await apiError(service.client({ maxRetries: 1 }).users.get(USER));
    expect(attempts).toEqual({
      count: 2,
      failures: [
        { reason: 'status', status: 503, code: 'unavailable' },
        { reason: 'status', status: 404, code: 'user_not_found' },
      ],
    });
  });
});
