import { describe, expect, it } from 'vitest';
import { RequestValidationError } from '../../../src/index.js';
import { rejection, startService } from '../support/service.js';

const service = startService();
const path = '/v1/accounts/{account_id}/funds/withdrawals';
const withdrawal = { method: 'POST', path, params: { account_id: 'a' }, body: { amount: '1' } } as const;

describe('request() and one-time passwords', () => {
  it('sends the client’s text with otp: true alone', async () => {
    service.answerJson({ data: 'done' });
    const client = service.client({ otp: '123456' });
    await client.request({ ...withdrawal, otp: true });
    await client.request(withdrawal);
    expect(service.received.map(({ headers }) => headers['api-otp'])).toEqual(['123456', undefined]);
  });

  it('asks a function of the client with every write, and with a read for otp: true alone', async () => {
    const asked: string[] = [];
    const otp = (operation: string) => {
      asked.push(operation);
      return operation.startsWith('PUT') ? undefined : '123456';
    };
    service.answerJson({ data: 'done' });
    const client = service.client({ otp });
    await client.request(withdrawal);
    await client.request({ ...withdrawal, method: 'PUT' });
    await client.request({ method: 'GET', path, params: withdrawal.params });
    await client.request({ method: 'GET', path, params: withdrawal.params, otp: true });
    const sent = service.received.map(({ headers }) => headers['api-otp']);
    expect(sent).toEqual(['123456', undefined, undefined, '123456']);
    expect(asked).toEqual([`POST ${path}`, `PUT ${path}`, `GET ${path}`]);
  });

  it('with otp: true, a function that gives none ends the call before sending', async () => {
    const error = await rejection(service.client({ otp: () => undefined }).request({ ...withdrawal, otp: true }));
    expect(error).toMatchObject({ name: 'ProviderError', outcome: 'not_applied' });
    expect(service.received).toEqual([]);
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
