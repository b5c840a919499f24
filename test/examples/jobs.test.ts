import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { createTestClient } from 'partner-sdk/sandbox';
import { afterEach, expect, it, vi } from 'vitest';
import { pay } from '../../examples/jobs/pay.js';
import { Queue } from '../../examples/jobs/queue.js';

const HOUR = 3_600_000;
const WITHDRAWAL = 'funds.withdrawals.create';

/** Paths that were synced to the disk. */
const synced = vi.hoisted(() => new Set<unknown>());
vi.mock('node:fs/promises', async (importActual) => {
  const actual = await importActual<typeof import('node:fs/promises')>();
  const open = async (path: string, flags?: string) => {
    const file = await actual.open(path, flags);
    const sync = file.sync.bind(file);
    return Object.assign(file, { sync: () => sync().then(() => synced.add(path)) });
  };
  return { ...actual, open };
});

afterEach(() => vi.restoreAllMocks());

async function withQueue(use: (given: Awaited<ReturnType<typeof prepare>>) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'queue-'));
  const given = await prepare(directory);
  try {
    await use(given);
  } finally {
    await given.close();
    await rm(directory, { recursive: true });
  }
}

async function prepare(directory: string) {
  const { client, sandbox, close } = createTestClient({ seed: 1 });
  const { accountId, withdrawalAddressKey: key } = sandbox.fixtures;
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const now = Date.now;
  let ahead = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
  await Queue.open(directory);
  /** A new process makes one payout, and is stopped soon if the service doesn't respond. */
  const payOne = async () => {
    const queue = await Queue.open(directory);
    const job = await queue.take();
    if (job !== undefined) await pay({ client, accountId, queue, signal: AbortSignal.timeout(300) }, job);
  };
  const put = (id: string, text = JSON.stringify({ asset_symbol: 'BTC', key, amount: '0.001' })) =>
    writeFile(join(directory, 'inbox', `${id}.json`), text);
  const files = async () => {
    const names = (await readdir(directory, { recursive: true })).map((name) => name.replace(sep, '/'));
    return names.filter((name) => name.endsWith('.json')).sort();
  };
  const made = () => sandbox.journal.filter(({ verdict }) => verdict === 'accepted' || verdict === 'fault_after');
  const lose = async () => {
    const end = sandbox.fail({ operation: WITHDRAWAL, fault: 'reset', when: 'after', times: 'always' });
    await payOne();
    end();
  };
  const setClock = (hours: number) => (ahead = hours * HOUR);
  const passes = (hours: number) => void sandbox.advance(hours * HOUR);
  return { directory, sandbox, close, payOne, put, files, made, lose, setClock, passes };
}

it('an unclear payout that is put in again is not paid a second time, when its key is forgotten', () =>
  withQueue(async ({ payOne, put, files, lose, setClock, passes, sandbox }) => {
    await put('inv-1');
    await lose();
    passes(25);
    setClock(25);
    await payOne();
    expect(await files()).toEqual(['unclear/inv-1.json']);
    const requests = sandbox.journal.length;
    await put('inv-1');
    await payOne();
    expect([await files(), sandbox.journal.length]).toEqual([['unclear/inv-1.json'], requests]);
  }));

it('a payout that was begun while the clock was ahead is not sent again, because nobody knows its age', () =>
  withQueue(async ({ payOne, put, files, lose, setClock, passes, sandbox }) => {
    await put('inv-1');
    setClock(30);
    await lose();
    const requests = sandbox.journal.length;
    passes(25);
    setClock(25);
    await payOne();
    expect([await files(), sandbox.journal.length]).toEqual([['unclear/inv-1.json'], requests]);
  }));

it('a file that cannot be read goes to a person, and the other payouts are made', () =>
  withQueue(async ({ payOne, put, files }) => {
    await put('a', '');
    await put('b');
    await payOne();
    await payOne();
    expect(await files()).toEqual(['done/b.json', 'unclear/a.json']);
  }));

it('a rejected payout that is put in again and made is no longer among the rejected', () =>
  withQueue(async ({ payOne, put, files, sandbox, made }) => {
    sandbox.fail({ operation: WITHDRAWAL, fault: 400, causes: [{ field: 'amount', message: 'exceeds the balance' }] });
    await put('inv-1');
    await payOne();
    expect(await files()).toEqual(['rejected/inv-1.json']);
    await put('inv-1');
    await payOne();
    expect([await files(), made().length]).toEqual([['done/inv-1.json'], 1]);
  }));

it.skipIf(process.platform === 'win32')('what was begun is on the disk with its name, which may be long', () =>
  withQueue(async ({ directory, payOne, put, files }) => {
    const id = 'i'.repeat(250);
    await put(id);
    synced.clear();
    await payOne();
    expect(await files()).toEqual([`done/${id}.json`]);
    expect([...synced].slice(0, 2)).toEqual([join(directory, 'begun', `${id}.new`), join(directory, 'begun')]);
  }),
);
