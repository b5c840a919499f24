import { describe, expect, test } from 'vitest';
import { directSandbox } from '../support/direct-partner.js';
import { askControl, bodies, openSandbox } from '../support/partner.js';

const list = '/v1/webhooks?page_size=1';

describe('a quota at run time', () => {
  test('refuses what is above it, tells what is left, and goes', async () => {
    const partner = directSandbox();
    const { quota } = partner.sandbox;
    expect(quota.level()).toEqual({ quota: undefined, keys: [] });
    quota.set({ requests: 2, per: 60_000 });
    const { apiKey } = partner.credentials;
    expect(quota.level().keys).toEqual([{ apiKey, requests: 2, per: 60_000, used: 0, left: 2, endsInMs: undefined }]);
    expect([(await partner.get(list)).status, (await partner.get(list)).status]).toEqual([200, 200]);
    const { status, headers } = await partner.get(list);
    expect([status, headers.get('retry-after')]).toEqual([429, '60']);
    expect(quota.level()).toMatchObject({ quota: { requests: 2, per: 60_000 }, keys: [{ used: 2, left: 0 }] });
    partner.sandbox.advance(60_000);
    expect(quota.level().keys).toMatchObject([{ used: 0, left: 2 }]);
    expect((await partner.get(list)).status).toBe(200);
    quota.set({ requests: 1, per: 60_000 });
    expect((await partner.get(list)).status).toBe(200);
    quota.clear();
    expect((await partner.get(list)).status).toBe(200);
    expect(quota.level()).toEqual({ quota: undefined, keys: [] });
  });

  test('is that of each key, and a key with its own keeps that', async () => {
    const partner = directSandbox({ quota: { requests: 1, per: 60_000 } });
    const { sandbox } = partner;
    const own = sandbox.keys.issue({ quota: { requests: 5, per: 1_000 } });
    sandbox.quota.clear();
    expect(sandbox.quota.level().keys).toMatchObject([{ apiKey: own.apiKey, requests: 5, left: 5 }]);
  });

  test('over HTTP it is set, read and taken away', async () => {
    const partner = await openSandbox();
    await askControl(partner, 'POST quota/set', [{ requests: 1, per: 1_000 }]);
    await partner.get(list);
    expect((await askControl(partner, 'GET quota')).data).toMatchObject({
      quota: { requests: 1 },
      keys: [{ left: 0 }],
    });
    await askControl(partner, 'POST quota/clear', []);
    expect((await askControl(partner, 'GET quota')).data).toEqual({ keys: [] });
    const wrong = await askControl(partner, 'POST quota/set', [{ requests: 0, per: 1 }]);
    expect(wrong.error?.message).toBe('quota.set: requests must be a whole number of at least 1');
  });
});

describe('times of steps at run time', () => {
  test('count for the steps that are planned from then on', async () => {
    const partner = await openSandbox({ executionTimes: { 'wallet.screen': 1 } });
    const { sandbox } = partner;
    const executing = async () => {
      const { id } = (await partner.post(`${partner.account}/quotes`, bodies.quote)).body.data;
      await partner.post(`${partner.account}/quotes/${id}/execute`);
      return id as string;
    };
    const statusOf = async (id: string) => (await partner.get(`${partner.account}/quotes/${id}`)).body.data.status;
    const { data } = await askControl(partner, 'POST executionTimes/set', [{ 'quote.finish': 60_000 }]);
    expect(data).toEqual({ 'wallet.screen': 1, 'quote.finish': 60_000 });
    expect((await askControl(partner, 'GET executionTimes')).data).toEqual(data);
    const slow = await executing();
    sandbox.executionTimes.clear();
    expect(sandbox.executionTimes.get()).toEqual({ 'wallet.screen': 1 });
    const usual = await executing();
    sandbox.advance(2_000);
    expect([await statusOf(slow), await statusOf(usual)]).toEqual(['executing', 'executed']);
    sandbox.advance(58_000);
    expect(await statusOf(slow)).toBe('executed');
  });

  test('an unknown step is refused, and all are named', () => {
    const { executionTimes } = directSandbox().sandbox;
    expect(() => executionTimes.set({ 'quote.end': 1 } as object)).toThrow(
      /^executionTimes\.set: quote\.end is not an option.*quote\.finish/,
    );
  });
});
