import { beforeEach, describe, expect, test } from 'vitest';
import { CONTROL_GROUPS } from '../../../src/sandbox/drive/controls.js';
import type { ControlCall } from '../../../src/sandbox/index.js';
import { askControl, PATIENCE, sharedSandbox } from '../support/partner.js';

const calls: ControlCall[] = [];
const partner = await sharedSandbox({ onControl: (call) => calls.push(call) });
const { sandbox } = partner;
beforeEach(() => {
  calls.length = 0;
  sandbox.reset();
});

const send = (method: string, path: string, args?: readonly unknown[]) =>
  askControl(partner, `${method} ${path}`, args);
const read = (path: string) => send('GET', path);
const call = (path: string, ...args: readonly unknown[]) => send('POST', path, args);

describe('the clock over HTTP', () => {
  test('is set, and moved to what comes next', async () => {
    const [first] = (await read('clock/agenda?limit=1')).data;
    expect((await call('clock/status')).data).toMatchObject({ isRunning: false, next: first });
    expect((await call('clock/next')).data).toEqual(first);
    expect(sandbox.clock.now()).toBe(first.at);
    await call('clock/set', '2027-01-01T00:00:00Z');
    expect(new Date(sandbox.clock.now()).toISOString()).toBe('2027-01-01T00:00:00.000Z');
    const back = await call('clock/set', 0);
    expect([back.status, back.error?.message]).toEqual([
      ...[400, expect.stringContaining('cannot go back to 1970-01-01T00:00:00.000Z')],
    ]);
  });

  test('is started and stopped', async () => {
    await call('clock/start');
    expect(sandbox.clock.status().isRunning).toBe(true);
    await expect.poll(() => sandbox.clock.now(), PATIENCE).toBeGreaterThan(Date.UTC(2026, 0, 15, 12));
    await call('clock/stop');
    const { data } = await call('clock/status');
    expect([data.isRunning, sandbox.clock.now()]).toEqual([false, data.now]);
  });
});

test.each([
  ['clock/advance', ['1 s'], 'ms must be a number, not a string'],
  ['clock/set', [-1e20], 'time must be at least 0'],
  ['clock/set', ['noon'], 'time must be a date and time such as "2026-01-31T12:00:00Z"'],
  ['clock/set', [{}], 'time must be milliseconds since the epoch, or text like 2026-02-01T00:00:00Z'],
  ['resources/list', ['quots'], 'kind is unknown: did you mean quotes? resources.kinds lists all'],
  ['webhooks/update', [5, {}], 'webhookId must be a string, not a number'],
  ['webhooks/rotateSecret', ['ep', { overlapMs: -1 }], 'overlapMs must be at least 0'],
  ['webhooks/verifyDelivery', [{}], 'deliveryId must be a string, not an object'],
  ['requests/expect', [{ body: [] }], 'body must be an object'],
  ['requests/waitFor', [{}, { timeoutMs: 2 ** 31 }], 'timeoutMs must be from 0 to 2147483647'],
])('%s refuses %j, and says what it takes', async (path, args, message) => {
  const { status, error } = await call(path, ...args);
  expect([status, error?.message]).toEqual([400, `${path.replace('/', '.')}: ${message}`]);
});

test('what is only read is not removed', async () => {
  await partner.get('/v1/webhooks');
  expect((await send('DELETE', `journal/${sandbox.journal[0]?.seq}`)).status).toBe(405);
});

describe('nothing of a prototype is reached', () => {
  const INHERITED = [
    ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf'],
  ];
  // Any name is that of an inbox.
  const GROUPS = CONTROL_GROUPS.flatMap(({ name }) => (name === 'inbox' ? [] : [`${name.replaceAll('.', '/')}/`]));
  const INNER = [
    '',
    'journal/',
    '__proto__/',
    'constructor/',
    'constructor/prototype/',
    'faults/__proto__/',
    'webhooks/deliveries/',
  ];

  test.each([...GROUPS, ...INNER])('below /_sandbox/%s', async (prefix) => {
    for (const name of INHERITED) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status } = await send(method, prefix + name, method === 'POST' ? ['x', {}] : undefined);
        expect([method, prefix + name, status]).toEqual([method, prefix + name, 404]);
      }
    }
    expect(calls).toEqual([]);
  });

  test.each([
    ['what the process alone may call', ['close', 'listen', 'fetch', 'transport', 'faults/discard', 'clock/plan']],
    ['a method of a group without its group', ['advance', 'fail', 'now', 'expect', 'next', 'agenda']],
  ])('nor %s', async (_, paths) => {
    for (const path of paths) expect([(await call(path)).status, (await read(path)).status]).toEqual([404, 404]);
  });
});
