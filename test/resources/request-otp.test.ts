import { describe, expect, it } from 'vitest';
import { RequestValidationError } from '../../src/index.js';
import { rejection, startService } from './support/service.js';

const service = startService();
const withdrawal = { method: 'POST', path: '/v1/accounts/a/funds/withdrawals', body: { amount: '1' } } as const;

describe('request() and one-time passwords', () => {
  it('sends the client’s with otp: true, asked for with the call’s name, and none otherwise', async () => {
    const asked: string[] = [];
    const otp = (operation: string) => {
      asked.push(operation);
      return '123456';
    };
    service.answerJson({ data: 'done' });
    const client = service.client({ otp });
    await client.request({ ...withdrawal, otp: true });
    await client.request(withdrawal);
    expect(service.received.map(({ headers }) => headers['api-otp'])).toEqual(['123456', undefined]);
    expect(asked).toEqual(['POST /v1/accounts/a/funds/withdrawals']);
  });

  it('refuses otp: true where the client has none', async () => {
    const error = await rejection(() => service.client().request({ ...withdrawal, otp: true }));
    expect(error).toMatchObject({ name: 'RequestValidationError', issues: [{ path: 'options.otp' }] });
    expect(service.received).toEqual([]);
  });
});

describe('a number that JSON cannot say', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY])('%s in a body is refused, not sent as null', async (number) => {
    const error = await rejection(() => service.client().request({ ...withdrawal, body: { limits: [1, number] } }));
    expect(error).toBeInstanceOf(RequestValidationError);
    expect(error).toMatchObject({ issues: [{ path: 'body' }] });
    expect(service.received).toEqual([]);
  });
});
