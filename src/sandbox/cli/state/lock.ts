import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { systemCode } from '../../../util/system-error.js';
import { Failure, reasonOf } from '../output/failure.js';
import { quoted } from '../output/text.js';

/**
 * Prevents a second sandbox from using the same state, until the process ends: a file beside the
 * state contains the id of the process. The lock of a process that has ended is taken over.
 *
 * @throws Failure if another process has the lock, or the file cannot be created.
 */
export function takeLock(path: string): void {
  if (!created(path)) {
    const owner = ownerOf(path);
    if (owner === undefined || isAlive(owner)) throw inUse(path, owner);
    rmSync(path, { force: true });
    if (!created(path)) throw inUse(path, undefined);
  }
  process.once('exit', () => rmSync(path, { force: true }));
}

/** Creates the file. Returns false if it exists. */
function created(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw new Failure(1, `--state needs a folder that exists and can be written into: ${reasonOf(error)}`);
  }
}

/** Returns undefined if the file does not contain the id of a process. */
function ownerOf(path: string): number | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return /^[1-9]\d{0,9}\n$/.test(text) ? Number(text) : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  // In a container, every run may have the same process id.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

function inUse(path: string, owner: number | undefined): Failure {
  const process = owner === undefined ? 'another process' : `process ${owner}`;
  return new Failure(
    1,
    `the state is in use by ${process}: end that one, or remove ${quoted(path)} if it is no sandbox`,
  );
}
