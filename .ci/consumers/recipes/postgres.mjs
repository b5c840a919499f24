import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Debian keeps the programs of each major version here, and none of them on the PATH. */
const DEBIAN = '/usr/lib/postgresql';
const MAX_START_MS = 180_000;

/**
 * Lets `use` run beside a PostgreSQL of its own, whose socket is in the folder that it gets. The superuser is `recipe`.
 * PostgreSQL refuses to run as root, so root starts it as the owner of Debian's clusters.
 */
export async function withPostgres(use) {
  const [version] = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  assert.ok(version, "Debian's postgresql is not installed");
  const program = (name) => join(DEBIAN, version, 'bin', name);
  const folder = mkdtempSync(join(tmpdir(), 'pg-'));
  const user = process.getuid() === 0 ? postgresUser() : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = { ...user, cwd: folder, env: { ...process.env, HOME: folder, LC_ALL: 'C.UTF-8' } };
  execFileSync(program('initdb'), ['-D', data, '-U', 'recipe', '--auth=trust', '--no-sync'], options);
  // No port: other clusters of the machine are none of our business.
  const server = spawn(program('postgres'), ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off'], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(server, 'exit');
  try {
    await ready(server);
    await use(folder);
  } finally {
    server.kill('SIGINT');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ready(server) {
  const lines = createInterface({ input: server.stderr });
  const said = [];
  const timer = setTimeout(() => lines.close(), MAX_START_MS);
  const isReady = await new Promise((resolve) => {
    lines.on('line', (line) => {
      said.push(line);
      if (line.includes('ready to accept connections')) resolve(true);
    });
    lines.on('close', () => resolve(false));
  });
  clearTimeout(timer);
  assert.ok(isReady, `PostgreSQL did not start: ${said.join('\n')}`);
}

function postgresUser() {
  const idOf = (flag) => Number(execFileSync('id', [flag, 'postgres']).toString());
  return { uid: idOf('-u'), gid: idOf('-g') };
}
