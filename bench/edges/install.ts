import { spawnSync } from 'node:child_process';

/** The edges, by the names of their Debian packages, which are those of their commands; and how each tells its version. */
const VERSION_FLAGS = { nginx: '-v', haproxy: '-v', caddy: 'version' } as const;

export type Software = keyof typeof VERSION_FLAGS;

const SOFTWARE = Object.keys(VERSION_FLAGS) as Software[];

/** Debian has servers there, where the path of a user may not lead. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;

/** What an edge is started with. */
export const ENVIRONMENT = { ...process.env, PATH };

/**
 * Installs what is absent of nginx, HAProxy and Caddy, and gives the versions of all.
 *
 * @throws Error when one is still absent: a bench of edges without edges says nothing.
 */
export function installEdges(): string[] {
  const absent = SOFTWARE.filter((name) => versionOf(name) === undefined);
  if (absent.length > 0) {
    console.error(`installing ${absent.join(', ')}`);
    run('apt-get', ['update']);
    run('apt-get', ['install', '--yes', '--no-install-recommends', ...absent]);
  }
  return SOFTWARE.map((name) => {
    const version = versionOf(name);
    if (version !== undefined) return `${name} ${version}`;
    throw new Error(`${name} is not there and could not be installed: run \`apt-get install ${name}\` as root`);
  });
}

function versionOf(name: Software): string | undefined {
  const { status, stdout, stderr } = spawnSync(name, [VERSION_FLAGS[name]], { encoding: 'utf8', env: ENVIRONMENT });
  return status === 0 ? (/\d+(\.\d+)+/.exec(stdout + stderr)?.[0] ?? 'of an unknown version') : undefined;
}

/** What it says is shown when it fails; whether it worked is seen from what is there then. */
function run(command: string, args: readonly string[]): void {
  const env = { ...ENVIRONMENT, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', env });
  if (status !== 0) console.error(`${command} ${args.join(' ')} failed: ${error?.message ?? stdout + stderr}`);
}
