import { describe, expect, test } from 'vitest';
import { createSandbox, type SettingsInput } from '../../../src/sandbox/index.js';
import { type DirectPartner, directSandbox } from '../support/direct-partner.js';
import { askControl, bodies, openSandbox } from '../support/partner.js';

const list = '/v1/webhooks?page_size=1';
const quotaOf = ({ sandbox }: DirectPartner) => sandbox.keys.list()[0]?.quota;

describe('a quota at run time', () => {
  test('refuses what is above it, tells what is left, and goes', async () => {
    const partner = directSandbox();
    const { settings } = partner.sandbox;
    const quota = { requests: 2, perMs: 60_000 };
    expect([settings.get().quota, quotaOf(partner)]).toEqual([null, undefined]);
    expect(settings.update({ quota })).toEqual({ quota, executionTimes: {} });
    expect(quotaOf(partner)).toEqual({ ...quota, used: 0, left: 2, endsInMs: undefined });
    expect([(await partner.get(list)).status, (await partner.get(list)).status]).toEqual([200, 200]);
    const { status, headers } = await partner.get(list);
    expect([status, headers.get('retry-after')]).toEqual([429, '60']);
    expect(quotaOf(partner)).toMatchObject({ ...quota, used: 2, left: 0, endsInMs: expect.any(Number) });
    partner.sandbox.advance(60_000);
    expect(quotaOf(partner)).toMatchObject({ used: 0, left: 2 });
    expect((await partner.get(list)).status).toBe(200);
    settings.update({ quota: { requests: 1, perMs: 60_000 } });
    expect((await partner.get(list)).status).toBe(200);
    settings.update({ quota: null });
    expect((await partner.get(list)).status).toBe(200);
    expect([settings.get().quota, quotaOf(partner)]).toEqual([null, undefined]);
  });

  test('is that of each key, and a key with its own keeps that', () => {
    const partner = directSandbox({ settings: { quota: { requests: 1, perMs: 60_000 } } });
    const { keys, settings } = partner.sandbox;
    keys.issue({ quota: { requests: 5, perMs: 1_000 } });
    expect(keys.list()).toMatchObject([{ quota: { requests: 1 } }, { quota: { requests: 5, perMs: 1_000, left: 5 } }]);
    settings.update({ quota: null });
    expect(keys.list()).toMatchObject([{ quota: undefined }, { quota: { requests: 5 } }]);
  });
});

describe('times of steps at run time', () => {
  test('count for the steps that are planned from then on', async () => {
    const partner = directSandbox({ settings: { executionTimes: { 'wallet.screen': 1 } } });
    const { sandbox } = partner;
    const executing = async () => {
      const { id } = (await partner.post(`${partner.account}/quotes`, bodies.quote)).body.data;
      await partner.post(`${partner.account}/quotes/${id}/execute`);
      return id as string;
    };
    const statusOf = async (id: string) => (await partner.get(`${partner.account}/quotes/${id}`)).body.data.status;
    const { executionTimes } = sandbox.settings.update({ executionTimes: { 'quote.finish': 60_000 } });
    expect(executionTimes).toEqual({ 'wallet.screen': 1, 'quote.finish': 60_000 });
    const slow = await executing();
    expect(sandbox.settings.update({ executionTimes: null }).executionTimes).toEqual({});
    const usual = await executing();
    sandbox.advance(2_000);
    expect([await statusOf(slow), await statusOf(usual)]).toEqual(['executing', 'executed']);
    sandbox.advance(58_000);
    expect(await statusOf(slow)).toBe('executed');
  });
});

test('what is not given stays as it is, and a reset brings back the settings of createSandbox', () => {
  const base = { quota: { requests: 9, perMs: 1_000 }, executionTimes: { 'wallet.screen': 1 } };
  const sandbox = createSandbox({ settings: base });
  expect(sandbox.settings.update({})).toEqual(base);
  const executionTimes = { 'wallet.screen': 1, 'quote.finish': 5 };
  expect(sandbox.settings.update({ executionTimes })).toEqual({ ...base, executionTimes });
  expect(sandbox.settings.update({ quota: null })).toEqual({ quota: null, executionTimes });
  expect(JSON.stringify(sandbox.snapshot())).not.toContain('executionTimes');
  sandbox.reset();
  expect(sandbox.settings.get()).toEqual(base);
});

test('over HTTP they are read and changed', async () => {
  const partner = await openSandbox();
  const quota = { requests: 1, perMs: 1_000 };
  expect((await askControl(partner, 'POST settings', [{ quota }])).error?.message).toBe(
    'settings.get takes [], not 1 argument',
  );
  const changed = await askControl(partner, 'POST settings/update', [{ quota }]);
  expect(changed.data).toEqual({ quota, executionTimes: {} });
  await partner.get(list);
  expect((await askControl(partner, 'GET settings')).data).toEqual(changed.data);
  expect((await askControl(partner, 'GET keys')).data).toMatchObject([{ quota: { ...quota, left: 0 } }]);
});

test.each<[object, string]>([
  [{ quota: { requests: 0, perMs: 1 } }, 'quota.requests must be a whole number of at least 1'],
  [{ quota: { requests: 1, per: 1 } }, 'quota.perMs is missing; quota must not have per'],
  [{ executionTimes: { 'quote.finish': -1 } }, 'executionTimes.quote.finish must be a whole number from 0'],
  [{ executionTimes: { 'quote.end': 1 } }, 'executionTimes must not have quote.end; known are quote.finish, '],
  [{ qouta: null }, 'settings must not have qouta: did you mean quota?'],
])('%j is refused, and changes nothing', (given, message) => {
  const { settings } = createSandbox();
  expect(() => settings.update(given as SettingsInput)).toThrow(`settings.update: ${message}`);
  expect(settings.get()).toEqual({ quota: null, executionTimes: {} });
});
