import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DockerfileParser } from 'dockerfile-ast';
import { freePort } from '../../test/support/free-port.ts';

/** As a container does it: the first process of a world of its own. */
const CONTAINER = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child=SIGKILL'];

/** The user `node` of Node's images. */
const USER = ['setpriv', '--reuid=1000', '--regid=1000', '--clear-groups'];

/**
 * What examples/containers/Dockerfile says is done with the installed package, without an engine: its entry point runs
 * as process 1 and not as root in an empty folder, its health check passes, and its signal ends it well.
 */
export async function checkContainer({ project }) {
  if (spawnSync(CONTAINER[0], [...CONTAINER.slice(1), ...USER, 'true']).status !== 0) {
    console.log('skipped: the container without an engine (unshare and setpriv are not permitted here)');
    return;
  }
  const package_ = join(project, 'node_modules/partner-sdk');
  const { entryPoint, healthCheck, signal, variables } = readDockerfile(
    join(package_, 'examples/containers/Dockerfile'),
  );
  // Not below the project: another user may not read that.
  const folder = mkdtempSync(join(tmpdir(), 'partner-sandbox-container-'));
  try {
    chmodSync(folder, 0o777);
    cpSync(join(project, 'node_modules'), join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
    const env = {
      ...variables,
      PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`,
      PARTNER_SANDBOX_PORT: String(await freePort()),
      PARTNER_SANDBOX_STATE: join(folder, 'state.json'),
    };
    const child = spawn(CONTAINER[0], [...CONTAINER.slice(1), ...USER, ...entryPoint], { cwd: folder, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    const ended = once(child, 'close');
    try {
      await healthy(healthCheck, env, () => output);
      const host = `sandbox:${env.PARTNER_SANDBOX_PORT}`;
      const url = `http://127.0.0.1:${env.PARTNER_SANDBOX_PORT}/_sandbox/fixtures`;
      execFileSync('curl', ['--silent', '--fail', '--header', `Host: ${host}`, url]);
      // It is the child of unshare, which hands no signal on.
      const [id] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
      const [, uid] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
      const [, inner] = /^NSpid:\s+\d+\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
      if (uid !== '1000' || inner !== '1') throw new Error(`not ok: it runs as user ${uid}, process ${inner}`);
      process.kill(Number(id), signal);
      const [code] = await ended;
      if (code !== 0 || !output.includes(`# stopped: ${signal}`))
        throw new Error(`not ok: it ended with ${code}: ${output}`);
    } finally {
      child.kill('SIGKILL');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log('ok the Dockerfile: process 1, not root, healthy by its check, reached as sandbox, ended by its signal');
}

function readDockerfile(name) {
  const dockerfile = DockerfileParser.parse(readFileSync(name, 'utf8'));
  const text = (keyword) =>
    dockerfile
      .getInstructions()
      .find((one) => one.getKeyword() === keyword)
      .getRawArgumentsContent();
  const [, healthCheck] = /CMD (.*)$/s.exec(text('HEALTHCHECK'));
  const properties = dockerfile.getENVs().flatMap((env) => env.getProperties());
  return {
    entryPoint: JSON.parse(text('ENTRYPOINT')),
    healthCheck,
    signal: text('STOPSIGNAL'),
    variables: Object.fromEntries(properties.map((one) => [one.getName(), one.getValue()])),
  };
}

/** Docker, too, asks again for a while. */
async function healthy(healthCheck, env, output) {
  for (let tries = 0; tries < 100; tries++) {
    if (spawnSync('sh', ['-c', healthCheck], { env }).status === 0) return;
    await sleep(100);
  }
  throw new Error(`not ok: its health check does not pass: ${output()}`);
}
