import { describe, expect, test } from 'vitest';
import { type DirectPartner, directSandbox } from '../support/direct-partner.js';
import { bodies, requestOf } from '../support/partner.js';

test('a user’s status is what was set, the rest of it stays', async () => {
  const partner = directSandbox();
  const { userId, spacedUserId } = partner.sandbox.fixtures;
  const read = async (id: string) => (await partner.get(`/v1/users/${encodeURIComponent(id)}`)).body.data;
  const [before, other] = [await read(userId), await read(spacedUserId)];
  const required_actions = [{ kind: 'submit_document', until: null }, 'call back'];

  expect(partner.sandbox.users.setStatus(userId, { required_actions })).toEqual({
    ...before,
    status: { state: 'ok', required_actions },
  });
  expect(await read(userId)).toEqual({ ...before, status: { state: 'ok', required_actions } });
  const shown = partner.sandbox.users.setStatus(userId, { state: 'blocked' });
  shown.status.state = 'changed';
  expect(await read(userId)).toEqual({ ...before, status: { state: 'blocked', required_actions } });
  expect(await read(spacedUserId)).toEqual(other);

  expect(() => partner.sandbox.users.setStatus('nobody', { state: 'ok' })).toThrow('there is no user nobody');
  const wrongActions = [{ required_actions: 'none' }, { required_actions: [() => 1] }];
  for (const wrong of [{ state: '' }, { state: 5 }, ...wrongActions, { stat: 'ok' }]) {
    expect(() => partner.sandbox.users.setStatus(userId, wrong as object)).toThrow(TypeError);
  }
});

describe('a user whose state is not ok', () => {
  const block = (partner: DirectPartner) =>
    partner.sandbox.users.setStatus(partner.sandbox.fixtures.userId, { state: 'blocked' });
  const statuses = async (partner: DirectPartner) => {
    const { secondaryAccountId, userId, quoteId } = partner.sandbox.fixtures;
    const requests = [
      requestOf(`GET ${partner.account}/quotes/${quoteId}`),
      requestOf(`POST ${partner.account}/quotes`, bodies.quote),
      requestOf(`GET /v1/accounts/${secondaryAccountId}/portfolio/details`),
      requestOf(`GET ${partner.account}/funds/deposits/limits/BTC`),
      requestOf(`GET /v1/users/${userId}`),
      requestOf(`GET /v1/users/${userId}/assets`),
    ];
    const found: number[] = [];
    for (const request of requests) found.push((await partner.call(request)).status);
    return found;
  };

  test('is refused in all operations of its accounts, where that was asked for, until it is ok again', async () => {
    const partner = directSandbox({ enforceUserStatus: true });
    expect(await statuses(partner)).toEqual([200, 200, 200, 200, 200, 200]);
    block(partner);
    expect(await statuses(partner)).toEqual([403, 403, 403, 403, 200, 200]);
    const { body } = await partner.get(`${partner.account}/portfolio/details`);
    expect(body.error).toMatchObject({ type: 'request_error', code: 'forbidden' });
    expect(body.error.causes).toEqual([{ field: 'account_id', message: 'belongs to a user who is blocked' }]);
    expect(partner.sandbox.journal.at(-1)?.verdict).toBe('forbidden');
    partner.sandbox.users.setStatus(partner.sandbox.fixtures.userId, { state: 'ok' });
    expect(await statuses(partner)).toEqual([200, 200, 200, 200, 200, 200]);
  });

  test('does what it always did by default', async () => {
    const partner = directSandbox();
    block(partner);
    expect(await statuses(partner)).toEqual([200, 200, 200, 200, 200, 200]);
  });

  test('is an option that is true or false', () => {
    expect(() => directSandbox({ enforceUserStatus: 'yes' as unknown as boolean })).toThrow('must be true or false');
  });
});
