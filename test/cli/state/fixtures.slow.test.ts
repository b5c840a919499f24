import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { complaint, type RunningCommand, startListening } from '../support/command.js';
import { directory } from '../support/directory.js';

const USERS = [{ external_reference: 'mine', balances: { BTC: '2', USD: '1000.00' } }];

async function fileOf(content: string | Buffer): Promise<string> {
  const path = join(await directory(), 'users.json');
  await writeFile(path, content);
  return path;
}

async function references(command: RunningCommand): Promise<string[]> {
  const url = `${command.variable('PARTNER_BASE_URL')}/_sandbox/users`;
  const answer = (await (await fetch(url)).json()) as { data: { external_reference: string }[] };
  return answer.data.map(({ external_reference }) => external_reference);
}

test.each([
  ['an object with the list', { users: USERS }],
  ['the list alone', USERS],
  ['with a byte order mark', USERS, '\ufeff'],
])('users of a file are beside those of the seed: %s', async (_, content, mark = '') => {
  const command = await startListening(['--fixtures', await fileOf(mark + JSON.stringify(content))]);
  const all = await references(command);
  expect(all.filter((reference) => reference === 'mine')).toHaveLength(1);
  expect(all.length).toBeGreaterThan(5);
});

test.each([
  ['a file that is not there', undefined, /ENOENT/],
  ['text that is not JSON', '{users', /the file is not JSON/],
  ['text in UTF-16', Buffer.from('\ufeff[]', 'utf16le'), /it is in UTF-16: save it as UTF-8/],
  ['text in Latin-1', Buffer.from('{"ü": []}', 'latin1'), /it is not in UTF-8, but perhaps in Latin-1/],
  ['another member', '{"user": []}', /"user" is not known: the file has only "users"/],
  ['no users', '{}', /the file has no "users"/],
  ['an unknown asset', JSON.stringify([{ external_reference: 'a', balances: { XYZ: '2' } }]), /there is no asset XYZ/],
])('%s ends it with one line that names the file and the place', async (_, content, reason) => {
  const file = content === undefined ? join(await directory(), 'nothing.json') : await fileOf(content);
  const line = await complaint(['--fixtures', file]);
  expect(line).toMatch(/^partner-sandbox: the users cannot be read from ".*\.json": [^\n]+\n$/);
  expect(line).toMatch(reason);
});
