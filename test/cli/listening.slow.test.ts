import { createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { complaint, start, startListening } from './support/command.js';

async function occupied(port: number): Promise<number> {
  const server: Server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return (server.address() as { port: number }).port;
}

test('a taken port that was asked for is one clear line', async () => {
  const port = await occupied(0);
  const says = new RegExp(`^partner-sandbox: port ${port} of 127\\.0\\.0\\.1 is in use: .*--port 0\n$`);
  expect(await complaint(['--port', String(port)])).toMatch(says);
});

test('when the default port is taken and none was asked for, any free one is', async () => {
  // By somebody else already: as good.
  await occupied(8420).catch(() => {});
  const command = start([]);
  await command.until(({ lines }) => lines.length > 0);
  expect(command.variable('PARTNER_BASE_URL')).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(command.variable('PARTNER_BASE_URL')).not.toContain(':8420');
  expect((await fetch(`${command.variable('PARTNER_BASE_URL')}/v1/webhooks`)).status).toBe(401);
});

test.each([
  ['192.0.2.1', 'EADDRNOTAVAIL'],
  ['host.invalid', 'ENOTFOUND|EAI_AGAIN'],
])('a host that is none of this machine, %s, is one clear line', async (host, code) => {
  const says = new RegExp(`^partner-sandbox: .*(${code}).*Choose another --host or --port\n$`);
  expect(await complaint(['--host', host, '--port', '0'])).toMatch(says);
});

test('on every address of the machine, the printed one can be used on it, and it is said that others reach it', async () => {
  const command = await startListening(['--host', '0.0.0.0']);
  expect(command.variable('PARTNER_BASE_URL')).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(command.lines[1]).toContain('Other machines');
  expect((await fetch(`${command.variable('PARTNER_BASE_URL')}/v1/webhooks`)).status).toBe(401);
});

test('this machine alone is the default', async () => {
  const command = await startListening();
  expect(command.stdout).not.toContain('Other machines');
});

test('with a stopped clock, the quote is not called expired', async () => {
  const notes = async (...words: string[]) =>
    (await startListening(words)).lines.filter((line) => /the quote /.test(line));
  expect(await notes()).toEqual([expect.stringContaining('only the quote expires, 30 s after its creation. POST')]);
  const [still = ''] = await notes('--still');
  expect(still).toContain('Of these, only the quote expires, 30 s after its creation. The clock is stopped');
});
