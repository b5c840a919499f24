import { expect, test } from 'vitest';
import { directSandbox } from './direct-partner.js';

test('a user’s status is what was set, the rest of it stays', async () => {
  const partner = directSandbox();
  const { userId, spacedUserId } = partner.sandbox.fixtures;
  const read = async (id: string) => (await partner.get(`/v1/users/${encodeURIComponent(id)}`)).body.data;
  const [before, other] = [await read(userId), await read(spacedUserId)];
  const required_actions = [{ kind: 'submit_document', until: null }, 'call back'];

  expect(partner.sandbox.setUserStatus(userId, { required_actions })).toEqual({
    ...before,
    status: { state: 'ok', required_actions },
  });
  expect(await read(userId)).toEqual({ ...before, status: { state: 'ok', required_actions } });
  const shown = partner.sandbox.setUserStatus(userId, { state: 'blocked' });
  shown.status.state = 'changed';
  expect(await read(userId)).toEqual({ ...before, status: { state: 'blocked', required_actions } });
  expect(await read(spacedUserId)).toEqual(other);

  expect(() => partner.sandbox.setUserStatus('nobody', { state: 'ok' })).toThrow('there is no user nobody');
  for (const wrong of [
    { state: '' },
    { state: 5 },
    { required_actions: 'none' },
    { required_actions: [() => 1] },
    { stat: 'ok' },
  ]) {
    expect(() => partner.sandbox.setUserStatus(userId, wrong as object)).toThrow(TypeError);
  }
});
