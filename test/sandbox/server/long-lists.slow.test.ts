import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { openSandbox } from '../support/partner.js';

/** From about 100,000 on, arguments of a call overflow the stack. */
const MANY = 300_000;

interface Snapshot {
  readonly clock: { agenda: unknown[] };
}

test('a snapshot with 300,000 wrong tasks is refused by its first wrong place', () => {
  const sandbox = createSandbox({ seed: 1 });
  const snapshot = sandbox.snapshot();
  const { clock } = snapshot as unknown as Snapshot;
  clock.agenda = Array.from({ length: MANY }, () => ({ at: 1, task: { kind: 'none' } }));
  expect(() => sandbox.restore(snapshot)).toThrow(/^restore: snapshot is not the data of a sandbox: clock\.agenda\.0/);
});

test('a snapshot with 300,000 right tasks is put back, and one that is wrong at its end is refused', () => {
  const sandbox = createSandbox({ seed: 1 });
  const snapshot = sandbox.snapshot();
  const { clock } = snapshot as unknown as Snapshot;
  const [task] = clock.agenda;
  clock.agenda = Array.from({ length: MANY }, () => task);
  sandbox.restore(snapshot);
  expect((sandbox.snapshot() as unknown as Snapshot).clock.agenda).toHaveLength(MANY);
  clock.agenda.push({});
  expect(() => sandbox.restore(snapshot)).toThrow(/clock\.agenda\.300000/);
});

test('a body with 300,000 wrong items is answered 400', async () => {
  const partner = await openSandbox({ seed: 1 });
  const { status, body } = await partner.post('/v1/users', { nationalities: Array(MANY).fill(1) });
  expect([status, body.error.causes.length]).toEqual([400, 100]);
});

test('an argument with 300,000 wrong items is refused in a few words', () => {
  const sandbox = createSandbox({ seed: 1 });
  const reasons = Array.from({ length: MANY }, () => ({}));
  const refused = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  const list = reasons as never;
  const messages = [
    refused(() => sandbox.users.setVerification('none', 'failed', list)),
    refused(() => sandbox.users.add({ verifications: list } as never)),
    refused(() => sandbox.requests.list(list)),
    refused(() => sandbox.settings.update({ executionTimes: list })),
    refused(() => sandbox.troubles.add({ does: list })),
    refused(() => sandbox.keys.setScopes('none', list)),
    refused(() => sandbox.webhooks.register({ url: 'http://127.0.0.1:9/', events: list })),
  ];
  for (const message of messages) {
    expect(message).not.toBe('');
    expect(message).not.toMatch(/call stack/);
    expect(message.length).toBeLessThan(2_000);
  }
});
