import { describe, expect, test } from 'vitest';
import type { AgendaEntry, ClockStatus, Fault, FaultOptions } from '../../../src/sandbox/index.js';
import { bodies, PATIENCE } from '../support/partner.js';
import {
  call,
  calls,
  hasFailed,
  NOWHERE,
  partner,
  read,
  sandbox,
  send,
  shareControlPlane,
  statusOf,
  TO_BANK,
} from './support/control-plane.js';

shareControlPlane();

/** One sandbox, driven in its process or over HTTP: each step does the same either way. */
type Drive = (path: string, ...args: readonly unknown[]) => Promise<unknown>;

const inProcess: Drive = async (path, ...args) => {
  const [group = '', member = ''] = path.split('/');
  const owner = (sandbox as unknown as Record<string, Record<string, unknown>>)[group];
  const found = owner?.[member];
  return typeof found === 'function' ? await found(...args) : found;
};
const PROPERTIES = ['accounts/books'];
const overHttp: Drive = async (path, ...args) => {
  const { status, data, error } = PROPERTIES.includes(path) ? await read(path) : await call(path, ...args);
  if (status !== 200) throw new Error(`${status} ${error?.message}`);
  return data ?? undefined;
};

describe.each([
  ['in its process', inProcess],
  ['over HTTP', overHttp],
])('every member of every group does its work %s', (_, drive) => {
  test('clock: now, advance', async () => {
    const before = await drive('clock/now');
    await drive('clock/advance', 60_000);
    expect(await drive('clock/now')).toBe(Number(before) + 60_000);
    expect(sandbox.clock.now()).toBe(Number(before) + 60_000);
  });

  test('clock: set, next, agenda, status', async () => {
    const first = (await drive('clock/agenda', { limit: 1 })) as AgendaEntry[];
    expect(await drive('clock/status')).toMatchObject({ isRunning: false, next: first[0] });
    expect(await drive('clock/next')).toEqual(first[0]);
    expect(sandbox.clock.now()).toBe(first[0]?.at);
    await drive('clock/set', '2027-01-01T00:00:00Z');
    expect(new Date(sandbox.clock.now()).toISOString()).toBe('2027-01-01T00:00:00.000Z');
    await expect(drive('clock/set', 0)).rejects.toThrow('cannot go back to 1970-01-01T00:00:00.000Z');
  });

  test('clock: start, stop', async () => {
    await drive('clock/start');
    expect(sandbox.clock.status().isRunning).toBe(true);
    await expect.poll(() => sandbox.clock.now(), PATIENCE).toBeGreaterThan(Date.UTC(2026, 0, 15, 12));
    await drive('clock/stop');
    const { now, isRunning } = (await drive('clock/status')) as ClockStatus;
    expect([isRunning, sandbox.clock.now()]).toEqual([false, now]);
  });

  test('faults: add, list, remove', async () => {
    const added = (await drive('faults/add', { operation: 'webhooks.list', fault: 503, times: 3 })) as Fault;
    expect(added).toMatchObject({ operation: 'webhooks.list', fault: 503, when: 'before', applied: 0, left: 3 });
    expect(await hasFailed()).toBe(true);
    expect(await drive('faults/list')).toEqual([{ ...added, applied: 1, left: 2 }]);
    await drive('faults/remove', added.id);
    expect(await hasFailed()).toBe(false);
    await expect(drive('faults/remove', added.id)).rejects.toThrow(`there is no fault ${added.id}`);
    const gone = `there is no faults/${added.id}; GET faults lists what there is`;
    expect((await read(`faults/${added.id}`)).error?.message).toBe(gone);
  });

  test('faults: chaos, clear', async () => {
    const chaos = (await drive('faults/chaos', 1)) as Fault;
    expect(chaos).toMatchObject({ fault: 'chaos', probability: 1, applied: 0 });
    // Under chaos an answer may never come.
    const leave = new AbortController();
    const left = partner.send({ method: 'GET', path: '/v1/webhooks' }, leave.signal).catch(() => {});
    await expect.poll(() => sandbox.journal.length, PATIENCE).toBe(1);
    leave.abort();
    await left;
    expect(await drive('faults/list')).toMatchObject([{ id: chaos.id, applied: 1 }]);
    await drive('faults/clear');
    expect(await drive('faults/list')).toEqual([]);
  });

  test('webhooks: register, listDeliveries, idle, redeliver, update, rotateSecret, remove', async () => {
    const input = { url: NOWHERE, events: ['deposit.completed'] };
    const { id, signing_secret } = (await drive('webhooks/register', input)) as Record<string, string>;
    sandbox.accounts.deposit(sandbox.fixtures.accountId, { symbol: 'USD', amount: '1' });
    await drive('webhooks/idle');
    const [delivery] = (await drive('webhooks/listDeliveries')) as { id: string }[];
    expect(delivery).toMatchObject({ webhookId: id, status: 'pending', attempts: [{ redelivery: false }] });
    const redelivered = await drive('webhooks/redeliver', delivery?.id);
    expect(redelivered).toMatchObject({ attempts: [{ redelivery: false }, { redelivery: true }] });
    expect(await drive('webhooks/update', id, { description: 'mine' })).toMatchObject({ id, description: 'mine' });
    const rotated = (await drive('webhooks/rotateSecret', id, { overlap: 0 })) as Record<string, string>;
    expect(rotated['signing_secret']).not.toBe(signing_secret);
    await drive('webhooks/remove', id);
    expect(await drive('webhooks/listDeliveries')).toMatchObject([{ status: 'failed' }]);
  });

  test('accounts: convert, deposit, books; bankLinks: link, unlink', async () => {
    const { accountId } = sandbox.fixtures;
    expect(await drive('accounts/convert', accountId, TO_BANK)).toMatchObject({ status: 'converting' });
    const deposit = { symbol: 'USD', amount: '12.5' };
    expect(await drive('accounts/deposit', accountId, deposit)).toHaveProperty('period_limits');
    expect(await drive('accounts/books')).toMatchObject({ outside: { 'fiat:USD': '-12.5' } });
    const link = (await drive('bankLinks/link', accountId)) as { bank_link_id: string };
    const path = `${partner.account}/funds/bank-links/${link.bank_link_id}`;
    expect((await partner.get(path)).status).toBe(200);
    await drive('bankLinks/unlink', link.bank_link_id);
    expect((await partner.get(path)).status).toBe(404);
  });

  test('conversionRules, deposits, conversions and transfers', async () => {
    const from = { asset: { symbol: 'USD', type: 'fiat' }, via: 'ach' };
    const to = { asset: { symbol: 'BTC', type: 'crypto' }, destination: { type: 'balance' } };
    const { id, inbound } = (await partner.post(`${partner.account}/conversion-rules`, { from, to })).body.data;
    const arrived = await drive('deposits/arrive', inbound.id, '25.00');
    const { conversion } = arrived as { conversion: { id: string; status: string } };
    expect(conversion.status).toBe('converting');
    await drive('conversions/fail', conversion.id);
    expect(await drive('conversionRules/setStatus', id, 'paused')).toMatchObject({ status: 'paused', current_uses: 1 });
    expect(await drive('conversionRules/list')).toMatchObject([{ id, status: 'paused' }]);
    expect(await drive('deposits/list')).toEqual([]);
    const { body } = await partner.post(`${partner.account}/transfers`, bodies.transfer);
    await drive('transfers/fail', body.data.id, 'no reason');
    await drive('clock/advance', 60_000);
    expect((await partner.get(`/v1/conversions/${conversion.id}`)).body.data.status).toBe('failed');
    const transfer = (await partner.get(`/v1/transfers/${body.data.id}`)).body.data;
    expect(transfer).toMatchObject({ status: 'failed', failure_reason: 'no reason' });
  });

  test('users: list, profile, setStatus, setVerification', async () => {
    const { userId, spacedUserId } = sandbox.fixtures;
    const submit = async () =>
      (await partner.post(`/v1/users/${userId}/verifications/url`, bodies.document)).body.data.verification_id;
    const [first, second] = [await submit(), await submit()];
    await drive('users/setVerification', first, 'completed');
    await drive('users/setVerification', second, 'failed', [{ code: 'wrong_side' }]);
    const { verifications } = (await partner.get(`/v1/users/${userId}/verifications`)).body.data;
    expect(verifications.slice(-2)).toMatchObject([
      { verification_id: first, status: 'completed' },
      { verification_id: second, status: 'failed', reasons: [{ code: 'wrong_side' }] },
    ]);
    await expect(drive('users/setVerification', first, 'completed')).rejects.toThrow('is completed already');
    expect(await drive('users/profile', userId)).toEqual({});
    expect(await drive('users/list')).toEqual(sandbox.users.list());
    expect((await read(`users/${encodeURIComponent(spacedUserId)}`)).data).toMatchObject({ id: spacedUserId });
    expect(await drive('users/setStatus', userId, { state: 'blocked' })).toMatchObject({ id: userId });
    expect((await partner.get(`/v1/users/${userId}`)).body.data.status.state).toBe('blocked');
  });

  test('quotes: fail', async () => {
    const { quoteId } = sandbox.fixtures;
    await drive('quotes/fail', quoteId);
    await partner.post(`${partner.account}/quotes/${quoteId}/execute`);
    sandbox.advance(2_000);
    expect(await statusOf(quoteId)).toBe('failed');
  });

  test('wallets: rejectAddress, list', async () => {
    const address = '0x00000000000000000000000000000000000000aa';
    await drive('wallets/rejectAddress', address);
    await partner.post(`${partner.account}/wallets/whitelist`, { via: 'ethereum', address }, { 'API-Otp': '1' });
    sandbox.advance(5_000);
    expect(await drive('wallets/list')).toMatchObject([{ address, status: 'rejected' }]);
  });
});

test('no member of a group is left out above', () => {
  const groups = ['clock', 'faults', 'webhooks'] as const;
  const members = Object.fromEntries(groups.map((name) => [name, membersOf(sandbox[name])]));
  expect(members).toEqual({
    clock: ['advance', 'agenda', 'next', 'now', 'set', 'start', 'status', 'stop'],
    faults: ['add', 'chaos', 'clear', 'list', 'remove'],
    webhooks: [
      ...['deliverySummaries', 'disableAfter', 'faults', 'idle', 'list', 'listDeliveries', 'redeliver'],
      ...['register', 'remove', 'retryFailed', 'rotateSecret', 'samples', 'secrets', 'trigger', 'update', 'verify'],
      'verifyDelivery',
    ],
  });
});

const membersOf = (group: object): string[] => Object.keys(group).sort();

test('beside its groups the sandbox has its daily members alone', () => {
  const members = new Set([...Object.keys(sandbox), ...Object.getOwnPropertyNames(Object.getPrototypeOf(sandbox))]);
  const isGroup = (name: string) => typeof Reflect.get(sandbox, name) === 'object' && !DAILY.includes(name);
  expect([...members].filter((name) => !isGroup(name)).sort()).toEqual(['constructor', ...DAILY].sort());
});

const DAILY = [
  ...['listen', 'close', 'fetch', 'transport', 'credentials', 'fixtures', 'journal', 'health', 'events'],
  ...['fail', 'advance', 'snapshot', 'restore', 'reset'],
];

describe('collections over HTTP', () => {
  test('faults are read one by one, and taken back with DELETE', async () => {
    const { id } = sandbox.faults.add({ fault: 503, times: 'always' });
    const kept = sandbox.faults.add({ fault: 500, operation: 'users.get' });
    expect((await read('faults')).data).toHaveLength(2);
    expect((await read(`faults/${id}`)).data).toMatchObject({ id, fault: 503, applied: 0, left: 'always' });
    expect(await send('DELETE', `faults/${id}`)).toEqual({ status: 200, data: null });
    expect(sandbox.faults.list()).toEqual([kept]);
    expect((await send('DELETE', `faults/${id}`)).status).toBe(404);
    expect((await read(`faults/${id}`)).status).toBe(404);
    expect(calls).toMatchObject([{ method: 'faults.remove', status: 200 }]);
  });

  test('a used-up fault is no longer listed', async () => {
    const { id } = sandbox.faults.add({ fault: 503 });
    expect(await hasFailed()).toBe(true);
    expect((await read('faults')).data).toEqual([]);
    expect((await read(`faults/${id}`)).status).toBe(404);
  });

  test('wallets and deliveries are read one by one, and not removed', async () => {
    const address = '0x00000000000000000000000000000000000000bb';
    await partner.post(`${partner.account}/wallets/whitelist`, { via: 'ethereum', address }, { 'API-Otp': '1' });
    sandbox.webhooks.register({ url: NOWHERE, events: ['wallet.whitelisted'] });
    sandbox.advance(5_000);
    await sandbox.webhooks.idle();
    const [wallet] = (await read('wallets')).data;
    const [delivery] = (await read('webhooks/deliveries')).data;
    for (const [path, item] of [
      [`wallets/${wallet.id}`, wallet],
      [`webhooks/deliveries/${delivery.id}`, delivery],
    ] as const) {
      expect(await read(path)).toEqual({ status: 200, data: item });
      expect((await send('DELETE', path)).status).toBe(405);
    }
  });

  test('what changes the sandbox is not read', async () => {
    for (const path of ['clock/advance', 'faults/add', 'webhooks/register', 'quotes/fail']) {
      expect((await read(path)).status).toBe(405);
      expect((await send('DELETE', path)).status).toBe(405);
    }
  });
});

test('what is called is reported by the name of its method, with its arguments checked', async () => {
  await call('clock/advance', 1_000);
  await call('faults/chaos', 0.1);
  const tooMany = await call('bankLinks/unlink', sandbox.fixtures.bankLinkId, {});
  const wrong = await call('quotes/fail', {});
  expect(calls.map(({ method, status }) => [method, status])).toEqual([
    ['clock.advance', 200],
    ['faults.chaos', 200],
    ['bankLinks.unlink', 400],
    ['quotes.fail', 400],
  ]);
  expect(tooMany.error?.message).toBe('bankLinks.unlink takes [bankLinkId], not 2 arguments');
  expect(wrong.error?.message).toMatch(/^quotes\.fail: argument: must be text/);
});

describe('nothing of a prototype is reached', () => {
  const INHERITED = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '__defineGetter__',
    'valueOf',
  ];
  const GROUPS = [
    '',
    'clock/',
    'faults/',
    'webhooks/',
    'accounts/',
    'users/',
    'quotes/',
    'wallets/',
    'journal/',
    'keys/',
  ];
  const inner = ['__proto__/', 'constructor/', 'constructor/prototype/', 'faults/__proto__/', 'webhooks/deliveries/'];

  test.each([...GROUPS, ...inner])('below /_sandbox/%s', async (prefix) => {
    for (const name of INHERITED) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status } = await send(method, prefix + name, method === 'POST' ? ['x', {}] : undefined);
        expect([method, prefix + name, status]).toEqual([method, prefix + name, 404]);
      }
    }
    expect(calls).toEqual([]);
  });

  test('nor what the process alone may call', async () => {
    const own = [
      'close',
      'listen',
      'fetch',
      'transport',
      'faults/discard',
      'faults/pickerFor',
      'clock/plan',
      'webhooks/length',
    ];
    for (const path of own) {
      expect([(await call(path)).status, (await read(path)).status]).toEqual([404, 404]);
    }
  });

  test('nor a method of a group without its group', async () => {
    for (const path of ['advance', 'fail', 'now', 'registerWebhook', 'expect', 'next', 'agenda']) {
      expect([(await call(path)).status, (await read(path)).status]).toEqual([404, 404]);
    }
  });
});

describe('retryAfterSeconds', () => {
  const retryAfterOf = async (options: FaultOptions) => {
    sandbox.fail(options);
    return (await partner.get('/v1/webhooks')).headers.get('retry-after');
  };

  test('is sent', async () => {
    expect(await retryAfterOf({ fault: 503, retryAfterSeconds: 3 })).toBe('3');
    expect(await retryAfterOf({ fault: 503, retryAfterSeconds: 0 })).toBe('0');
    expect(sandbox.faults.add({ fault: 503, retryAfterSeconds: 5 })).toMatchObject({ retryAfterSeconds: 5 });
  });
});

test('fail gives the function that takes the fault back, also when it is used up', async () => {
  const takeBack = sandbox.fail({ fault: 503, times: 2 });
  const usedUp = sandbox.fail({ fault: 500, operation: 'users.get' });
  expect(sandbox.faults.list()).toHaveLength(2);
  expect(await hasFailed()).toBe(true);
  takeBack();
  takeBack();
  expect(await hasFailed()).toBe(false);
  expect((await partner.get(`/v1/users/${sandbox.fixtures.userId}`)).status).toBe(500);
  usedUp();
  expect(sandbox.faults.list()).toEqual([]);
});
