import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A machine may be slow and busy: this only ends what hangs. */
const MAX_RUN_MS = 300_000;

const SOURCES = join(import.meta.dirname, '../../test/consumers');

export const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

/** The version of a package that this one is tested with. */
export const asWeUseIt = (name) => `${name}@${manifest.devDependencies[name]}`;

/** An empty project with these packages installed and the consumers' sources copied in. Gives its directory. */
export function createProject(directory, packages) {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'consumer', private: true, version: '1.0.0' }));
  execFileSync('npm', ['install', '--ignore-scripts', '--loglevel=error', ...packages], {
    cwd: directory,
    stdio: 'inherit',
  });
  cpSync(SOURCES, directory, { recursive: true });
  return directory;
}

/**
 * Runs a command to its end and gives what it printed; `ok <name>` is printed when it went well, everything it said
 * when not. In CI it runs once more then: such a machine may stand still for seconds.
 */
export function check(name, command, args, { cwd, env = {}, timeout = MAX_RUN_MS }) {
  const began = performance.now();
  const runOnce = () =>
    spawnSync(command, args, {
      cwd,
      timeout,
      killSignal: 'SIGKILL',
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
  let run = runOnce();
  if (run.status !== 0 && process.env.CI) {
    console.error(`Failed first: ${name}\n`, run.stdout ?? '', run.stderr ?? '');
    run = runOnce();
  }
  if (run.status !== 0) {
    console.error(run.stdout ?? '', run.stderr ?? '');
    const ending = run.error?.message ?? run.signal ?? `exit code ${run.status}`;
    throw new Error(`not ok ${name}: ${ending}`);
  }
  console.log(`ok ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  return run.stdout;
}
