import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PartnerClient } from 'partner-sdk';
import { createSandbox, type Sandbox } from 'partner-sdk/sandbox';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Line, reconcile } from '../../examples/reconcile.js';

const DAY_MS = 86_400_000;
const DAY = '2026-01-15';

let sandbox: Sandbox;
let client: PartnerClient;
let accounts: string[];
let directory: string;

beforeEach(async () => {
  sandbox = createSandbox({ seed: 1 });
  const { url } = await sandbox.listen();
  client = new PartnerClient({ baseUrl: url, ...sandbox.credentials });
  accounts = [sandbox.fixtures.accountId, sandbox.fixtures.secondaryAccountId];
  directory = await mkdtemp(join(tmpdir(), 'reconcile-'));
});
afterEach(async () => {
  await client.close();
  await sandbox.close();
  await rm(directory, { recursive: true });
});

/** Buys Bitcoin in each account. */
async function trade(): Promise<void> {
  for (const accountId of accounts) {
    const body = { from: { symbol: 'USD', type: 'fiat', amount: '100.129' }, to: { symbol: 'BTC', type: 'crypto' } };
    const { id } = await client.accounts.quotes.create(accountId, body);
    await client.accounts.quotes.execute(accountId, id);
  }
  sandbox.advance(2_000);
}
const lineOf = (lines: readonly Line[], asset: string): Line | undefined => lines.find((line) => line.asset === asset);
const differences = (lines: readonly Line[]) =>
  lines.filter(({ difference }) => !difference.isZero()).map(({ asset, difference }) => [asset, difference.toFixed()]);
const read = (name: string) => readFile(join(directory, name), 'utf8');

it('explains a day of trades and deposits in all accounts, to the last digit', async () => {
  await trade();
  for (const id of accounts) sandbox.accounts.deposit(id, { symbol: 'USD', amount: '12.34567' });
  sandbox.advance(DAY_MS);
  await trade();
  const lines = await reconcile(client, accounts, DAY, directory);
  expect(differences(lines)).toEqual([]);
  const usd = lineOf(lines, 'fiat:USD');
  expect([usd?.spent.toFixed(), usd?.received.toFixed()]).toEqual(['200.258', '24.69134']);
  expect(lineOf(lines, 'crypto:BTC')?.received.gt(0)).toBe(true);
  expect(await read(`balances-${DAY}.csv`)).toContain(
    `fiat:USD,${usd?.opening.toFixed()},24.69134,200.258,0,${usd?.closing.toFixed()},0\r\n`,
  );
  expect((await read(`transactions-${DAY}.csv`)).split('\r\n')).toHaveLength(5);
  expect((await read(`ledger-${DAY}.csv`)).split('\r\n')).toHaveLength(3);
  expect((await readdir(directory)).filter((name) => name.startsWith('swaps'))).toEqual([`swaps-${DAY}.csv`]);
  expect((await read(`swaps-${DAY}.csv`)).split('\r\n')).toHaveLength(4);
});

it('shows what neither transactions nor ledger explain: the fee of a withdrawal', async () => {
  const { accountId, withdrawalAddressKey: key } = sandbox.fixtures;
  const { fee } = await client.funds.withdrawals.create(accountId, { asset_symbol: 'BTC', key, amount: '0.01' });
  sandbox.advance(DAY_MS);
  const lines = await reconcile(client, accounts, DAY, directory);
  expect(lineOf(lines, 'crypto:BTC')?.withdrawn.toFixed()).toBe('0.01');
  expect(fee?.gt(0)).toBe(true);
  expect(differences(lines)).toEqual([['crypto:BTC', fee?.neg().toFixed()]]);
});

it('counts no withdrawal that has failed', async () => {
  const { accountId, withdrawalAddressKey: key } = sandbox.fixtures;
  const { ref_id } = await client.funds.withdrawals.create(accountId, { asset_symbol: 'BTC', key, amount: '0.01' });
  sandbox.withdrawals.fail(ref_id);
  sandbox.advance(DAY_MS);
  const lines = await reconcile(client, accounts, DAY, directory);
  expect([lineOf(lines, 'crypto:BTC')?.withdrawn.toFixed(), differences(lines)]).toEqual(['0', []]);
});

it('explains a withdrawal to the last digit if its total was kept', async () => {
  const { accountId, withdrawalAddressKey: key } = sandbox.fixtures;
  const body = { asset_symbol: 'BTC', key, amount: '0.01' };
  const { ref_id, total } = await client.funds.withdrawals.create(accountId, body);
  sandbox.advance(DAY_MS);
  const lines = await reconcile(client, accounts, DAY, directory, { [ref_id]: String(total) });
  expect(lineOf(lines, 'crypto:BTC')?.withdrawn.toFixed()).toBe(total?.toFixed());
  expect(differences(lines)).toEqual([]);
});
