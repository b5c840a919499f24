/** Programs of others that read the documents. They are heavy, so they are no development dependencies. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../test/support/free-port.js';

/** Prism 5.15 needs Node 24. */
const PACKAGES = [
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  '@stoplight/prism-cli@5.14.2',
  'newman@6.2.2',
];

const START_TIMEOUT_MS = 180_000;

/** Installs them into a folder of their own. */
export function installTools(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const options = ['--prefix', folder, '--ignore-scripts', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, ...PACKAGES], { stdio: 'inherit' });
}

const ENVIRONMENT = { NO_COLOR: '1', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Runs a tool to its end: a sandbox in this process can answer it. Throws what it has printed if it fails. */
export async function runTool(folder: string, tool: string, args: readonly string[]): Promise<void> {
  try {
    const env = { ...process.env, ...ENVIRONMENT };
    await promisify(execFile)(process.execPath, [binaryOf(folder, tool), ...args], { env });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${tool} ${args[0]} failed:\n${stdout}\n${stderr}`);
  }
}

/** Starts Prism, and returns its address and what it logs. */
export async function startPrism(folder: string, command: readonly string[]) {
  const port = await freePort();
  const prism = spawn(process.execPath, [binaryOf(folder, 'prism'), ...command, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [prism.stdout, prism.stderr]) stream.on('data', (text) => (log += text));
  const limit = Date.now() + START_TIMEOUT_MS;
  while (!log.includes('is listening')) {
    if (prism.exitCode !== null || Date.now() > limit) throw new Error(`Prism did not start:\n${log}`);
    await wait(50);
  }
  const stop = async (): Promise<void> => {
    prism.kill();
    await once(prism, 'exit');
  };
  return { url: `http://127.0.0.1:${port}`, log: () => log, stop };
}

const binaryOf = (folder: string, tool: string): string => join(folder, 'node_modules/.bin', tool);
