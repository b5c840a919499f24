import { describe, expect, it } from 'vitest';
import { ConflictError, isApiError } from '../../../src/index.js';
import { ACCOUNT, invoke, operation } from '../support/operations.js';
import { failure, json, rejection, startService } from '../support/service.js';

const service = startService();
const update = operation('funds.withdrawalAddresses.update');
const save = operation('funds.withdrawalAddresses.save');
const whitelist = operation('accounts.wallets.whitelist');

describe('what is taken out of an answer leaves the answer readable', () => {
  it.each(['conflict', 'state_error', 'instance', 'occurrence-1', 'error', 'causes', 'code', '"code":"conflict"'])(
    'a member of the request that says %j does not change the error',
    async (text) => {
      service.answer(() =>
        failure(409, 'conflict', { type: 'state_error', causes: [{ code: 'conflict', param: 'key' }] }),
      );
      for (const [op, body] of [
        [update, { new_key: text }],
        [save, { ...save.body, key: text, memo: text }],
      ] as const) {
        const error = await rejection(invoke(op, service.client(), { body }));
        expect(error).toBeInstanceOf(ConflictError);
        expect(isApiError(error, 'conflict')).toBe(true);
        const instance = text === 'occurrence-1' ? expect.any(String) : 'occurrence-1';
        expect(error).toMatchObject({ status: 409, code: 'conflict', instance, causes: [{ param: 'key' }] });
        expect(error).toMatchObject({ attempts: { failures: [{ reason: 'status', status: 409, code: 'conflict' }] } });
      }
    },
  );

  it('an OTP or an amount that is also a number of the answer does not break it', async () => {
    service.answer(() => failure(400, 'bad_request', { causes: [{ limit: 123_456, used: 1_000_000_000 }] }));
    const error = await rejection(invoke(whitelist, service.client(), {}, { otp: '123456' }));
    expect(error).toMatchObject({ code: 'bad_request', instance: 'occurrence-1' });
    const body = { from: { symbol: 'USD', type: 'fiat', amount: '1000000000' }, to: { symbol: 'BTC', type: 'crypto' } };
    expect(await rejection(service.client().accounts.quotes.create(ACCOUNT, body))).toMatchObject({
      code: 'bad_request',
    });
  });

  it('a short request does not eat the text of a gateway', async () => {
    service.answer(() => new Response('<html><body>504 Gateway Time-out</body></html>', { status: 504 }));
    const error = await rejection(invoke(update, service.client(), { body: { new_key: 'a' } }));
    expect(error).toMatchObject({ body: '<html><body>504 Gateway Time-out</body></html>' });
  });

  it('nothing is taken out of data', async () => {
    service.answer(() => json({ data: { key: 'a private name', tag: null } }));
    const body = { ...save.body, key: 'a private name' };
    expect(await invoke(save, service.client(), { body })).toEqual({ key: 'a private name', tag: null });
  });
});
