import { describe, expect, it, vi } from 'vitest';
import { ResponseValidationError } from '../../../src/index.js';
import { invoke, operation } from '../support/operations.js';
import { idsOfLoop } from '../support/pages.js';
import { webhook } from '../support/samples.js';
import { json, rejection, startService } from '../support/service.js';

const service = startService();
const client = () => service.client({ responseValidation: 'warn' });

describe('warn mode, when there is nothing to hand over', () => {
  it.each([
    ['users.verifications.list', { data: {} }],
    ['users.verifications.list', { data: 5 }],
    ['users.verifications.list', { data: { verifications: {} } }],
    ['accounts.portfolio.details', {}],
    ['accounts.portfolio.details', []],
    ['accounts.portfolio.details', { data: {} }],
    ['webhooks.list', {}],
    ['webhooks.list', { data: {} }],
    ['users.get', {}],
  ])('%s ends in an error on %j: its value would be no list at all', async (name, body) => {
    service.answerJson(body);
    expect(await rejection(invoke(operation(name), client()))).toBeInstanceOf(ResponseValidationError);
  });

  it.each([5, {}, true])('a list whose next token is %j ends in a ResponseValidationError', async (token) => {
    service.answer((_, index) => json({ data: [{ ...webhook, id: `ep_${index}` }], next_page_token: token }));
    expect(await rejection(() => idsOfLoop(client().webhooks.list()))).toBeInstanceOf(ResponseValidationError);
    expect(service.received).toHaveLength(1);
  });
});

describe('warn mode, what is logged', () => {
  it.each([
    ['an envelope that is not there', {}, 1],
    ['a value of another kind', { data: { id: 5 } }, 0],
  ])('%s, once, whether the call fails for it or not', async (_what, body, failures) => {
    service.answerJson(body);
    const warn = vi.fn();
    const quiet = service.client({ responseValidation: 'warn', logger: { warn } });
    const ended = await Promise.allSettled([invoke(operation('users.get'), quiet)]);
    expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(failures);
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining('shape'), expect.objectContaining({ operation: 'users.get' })],
    ]);
  });
});

describe('warn mode, when the value can be handed over', () => {
  it.each([
    ['users.verifications.list', { data: { verifications: [5] } }, [5]],
    ['users.get', { data: { id: 5 } }, { id: 5 }],
  ])('%s gives what is there', async (name, body, value) => {
    service.answerJson(body);
    expect(await invoke(operation(name), client())).toEqual(value);
  });
});
