// The program of docs/money/payouts-by-webhook.md at work: node payouts.mjs <main.js> <directory of its database>
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { PartnerClient } from 'partner-sdk';
import { createSandbox } from 'partner-sdk/sandbox';

const KILLS = 8;
const WITHDRAWAL = 'funds.withdrawals.create';
const [main, cwd] = process.argv.slice(2);

const sandbox = createSandbox({ realTime: true });
const { url } = await sandbox.listen();
const { accountId, withdrawalAddressKey } = sandbox.fixtures;
const port = await freePort();
const events = ['withdrawal.completed', 'withdrawal.failed'];
const { signing_secret } = sandbox.webhooks.register({ url: `http://127.0.0.1:${port}/`, events });
const before = withdrawals().length;

let child = await start();
const database = new DatabaseSync(join(cwd, 'payouts.db'));
database.exec('PRAGMA busy_timeout = 5000');
// In this process, for when the program has ended.
const { Payouts } = await import(join(dirname(main), 'payouts/by-webhook.js'));
const client = new PartnerClient({ baseUrl: url, ...sandbox.credentials });
const payouts = new Payouts(client, database, accountId);
try {
  arriveAfter(50);
  await aDeliveryBeforeTheResponse();
  await aLostResponse();
  await aFailedWithdrawal();
  await aRejectedPayout();
  await aWrongAccount();
  await duplicates();
  await aDeliveryThatNeverComes();
  await kills();
  await aRejectedRetry();
  await severalSends();
  await manyThatStayOpen();
  await twoProcesses();
  await aWrongClock();
} finally {
  child.kill('SIGKILL');
  await client.close();
  database.close();
  await sandbox.close();
}

async function aDeliveryBeforeTheResponse() {
  sandbox.troubles.add({ match: { operation: WITHDRAWAL }, does: { delayMs: 2_000 } });
  pay('delivered-first');
  await until(() => unmatched() === 1);
  assert.deepEqual(rowOf('delivered-first'), { ref_id: null, state: 'open' });
  await until(() => rowOf('delivered-first').state === 'paid');
  sandbox.troubles.clear();
}

async function aLostResponse() {
  sandbox.fail({ operation: WITHDRAWAL, fault: 'reset', when: 'after', times: 'always' });
  pay('lost');
  await until(() => unmatched() === 1);
  assert.deepEqual(rowOf('lost'), { ref_id: null, state: 'open' });
  sandbox.troubles.clear();
  await until(() => rowOf('lost').state === 'paid');
}

async function aFailedWithdrawal() {
  arriveAfter(60_000);
  pay('failing');
  await until(() => rowOf('failing').ref_id !== null);
  sandbox.withdrawals.fail(rowOf('failing').ref_id);
  sandbox.advance(60_000);
  await until(() => rowOf('failing').state === 'failed');
  arriveAfter(50);
}

async function aRejectedPayout() {
  pay('too-much', '1000000');
  pay('nowhere', '0.001', 'unsaved');
  await until(() => ['too-much', 'nowhere'].every((id) => rowOf(id).state === 'rejected'));
}

async function aWrongAccount() {
  sandbox.fail({ operation: WITHDRAWAL, fault: 404, times: 'always' });
  pay('misdirected');
  const { length } = sandbox.journal;
  await until(() => sandbox.journal.length > length + 1);
  sandbox.troubles.clear();
  await until(() => rowOf('misdirected').state === 'paid');
}

async function duplicates() {
  await sandbox.webhooks.idle();
  for (const { id, status } of sandbox.webhooks.listDeliveries()) {
    assert.equal(status, 'delivered');
    assert.equal((await sandbox.webhooks.redeliver(id)).status, 'delivered');
  }
  assert.deepEqual(notices(), ['delivered-first paid', 'failing failed', 'lost paid', 'misdirected paid']);
}

/** It also happens that the program was down when the event was delivered. */
async function aDeliveryThatNeverComes() {
  sandbox.troubles.add({ does: { delivery: { drop: true } }, times: 'always' });
  pay('undelivered');
  await until(() => withdrawals().at(-1).ref_id === rowOf('undelivered').ref_id);
  await until(() => withdrawals().every(({ status }) => status !== 'pending'));
  assert.equal(rowOf('undelivered').state, 'open');
  sandbox.troubles.clear();
  await restart();
  await until(() => rowOf('undelivered').state === 'paid');
}

/** Responses are late or lost while it dies at random moments. */
async function kills() {
  sandbox.troubles.add({ match: { operation: WITHDRAWAL }, does: { delayMs: [5, 300] } });
  sandbox.fail({ operation: WITHDRAWAL, fault: 'reset', when: 'after', probability: 0.3, times: 'always' });
  const ids = Array.from({ length: KILLS * 3 }, (_, index) => `killed-${index}`);
  for (let kill = 0; kill < KILLS; kill += 1) {
    for (const id of ids.slice(kill * 3, kill * 3 + 3)) pay(id);
    await sleep(100 + Math.random() * 900);
    await restart();
  }
  sandbox.troubles.clear();
  await until(() => ids.every((id) => rowOf(id).state === 'paid'));
  assert.deepEqual(
    notices().filter((notice) => notice.startsWith('killed')),
    ids.map((id) => `${id} paid`).sort(),
  );
  // Each payout but the rejected ones is one withdrawal.
  assert.equal(withdrawals().length - before, ids.length + 5);
  assert.equal(unmatched(), 0);
  console.log(`${ids.length} payouts, ${KILLS} kills, each paid once`);
}

/** The first request was accepted, but nobody knows: a rejection of its retry doesn't mean that nothing was paid. */
async function aRejectedRetry() {
  sandbox.fail({ operation: WITHDRAWAL, fault: 'reset', when: 'after', times: 'always' });
  pay('doubtful');
  await until(() => unmatched() === 1);
  sandbox.troubles.clear();
  const causes = [{ field: 'amount', message: 'is too much' }];
  sandbox.fail({ operation: WITHDRAWAL, fault: 400, causes, times: 'always' });
  await restart();
  await until(() => rowOf('doubtful').state === 'unclear');
}

/** In this process: calls at the same time send a payout once, and none closes a payout that was paid meanwhile. */
async function severalSends() {
  child.kill('SIGKILL');
  sandbox.troubles.clear();
  assert.throws(() => new Payouts(client, database, ''), /PARTNER_ACCOUNT_ID/);
  pay('thrice', '0.001', 'unsaved');
  const { length } = sandbox.journal;
  await Promise.all([payouts.send(), payouts.send(), payouts.send()]);
  assert.deepEqual([rowOf('thrice').state, sandbox.journal.length - length], ['rejected', 1]);
  pay('late', '0.001', 'unsaved');
  const sent = payouts.send();
  database.exec("UPDATE payouts SET state = 'paid' WHERE id = 'late'");
  await sent;
  assert.equal(rowOf('late').state, 'paid');
}

/** What stays open doesn't hold up the others, however many there are. */
async function manyThatStayOpen() {
  for (let index = 0; index < 120; index += 1) pay(`open-${index}`);
  sandbox.fail({ operation: WITHDRAWAL, fault: 403, times: 'always' });
  const { length } = sandbox.journal;
  for (let turn = 0; turn < 2; turn += 1) await payouts.send();
  assert.equal(new Set(sandbox.journal.slice(length).map(({ key }) => key)).size, 120);
  database.exec("DELETE FROM payouts WHERE id LIKE 'open-%'");
  sandbox.troubles.clear();
}

/** Another process has sent it meanwhile, so a rejection here doesn't mean that nothing was sent. */
async function twoProcesses() {
  pay('shared', '0.001', 'unsaved');
  const sent = payouts.send();
  database.exec("UPDATE payouts SET tried_at = tried_at + 1 WHERE id = 'shared'"); // as the other process does
  await sent;
  assert.equal(rowOf('shared').state, 'unclear');
}

/** Nobody knows the age of a payout that was begun in the future. */
async function aWrongClock() {
  pay('future');
  database.exec(`UPDATE payouts SET begun_at = ${Date.now() + 3_600_000} WHERE id = 'future'`);
  await payouts.send();
  assert.deepEqual(rowOf('future'), { ref_id: null, state: 'unclear' });
}

async function start() {
  const { apiKey, apiSecret } = sandbox.credentials;
  const given = { PARTNER_BASE_URL: url, PARTNER_API_KEY: apiKey, PARTNER_API_SECRET: apiSecret };
  const env = { ...process.env, ...given, PARTNER_ACCOUNT_ID: accountId, PARTNER_WEBHOOK_SECRET: signing_secret };
  const started = spawn(process.execPath, [main], { cwd, env: { ...env, PORT: String(port) }, stdio: 'inherit' });
  await until(() =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    ),
  );
  return started;
}

async function restart() {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  child = await start();
}

function pay(id, amount = '0.001', key = withdrawalAddressKey) {
  database
    .prepare('INSERT INTO payouts (id, asset_symbol, address_key, amount) VALUES (?, ?, ?, ?)')
    .run(id, 'BTC', key, amount);
}

function rowOf(id) {
  return { ...database.prepare('SELECT ref_id, state FROM payouts WHERE id = ?').get(id) };
}

function unmatched() {
  const sql =
    'SELECT count(*) AS n FROM withdrawal_ends WHERE ref_id NOT IN (SELECT ref_id FROM payouts WHERE ref_id IS NOT NULL)';
  return database.prepare(sql).get().n;
}

function notices() {
  const rows = database.prepare('SELECT * FROM payout_notices').all();
  return rows.map(({ payout, state }) => `${payout} ${state}`).sort();
}

function withdrawals() {
  const { records } = sandbox.snapshot().accounts.find(({ id }) => id === accountId);
  return (records.withdrawals ?? []).map(([, withdrawal]) => withdrawal);
}

function arriveAfter(ms) {
  sandbox.settings.update({ executionTimes: { 'withdrawal.finish': ms } });
}

async function until(isSo) {
  for (const end = Date.now() + 60_000; !(await isSo()); await sleep(20)) {
    if (Date.now() > end) throw new Error(`never so: ${isSo}`);
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address();
  server.close();
  await once(server, 'close');
  return free;
}
