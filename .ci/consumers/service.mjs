import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/**
 * Lets `use` run with the environment of a program that uses a service, the packaged sandbox by default. The service is
 * a process of its own: its timers and sockets must not keep the program under test alive, or end with it.
 */
export async function withService(cwd, use, program = 'sandbox.mjs') {
  const child = spawn(process.execPath, [program], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  try {
    const { value: line } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
    assert.ok(line, `${program} did not start`);
    await use(JSON.parse(line));
  } finally {
    child.stdin.end();
    const [code] = await exited;
    assert.equal(code, 0, `${program} did not close`);
  }
}
