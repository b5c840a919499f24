import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const source = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

/** Tests of what processes share need a real Redis. A machine that has none runs the others; CI installs it and leaves out nothing. */
const needRedis = ['test/redis/**'];
const hasRedis = process.env['CI'] !== undefined || spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) console.warn(`No redis-server here (apt-get install redis-server): ${needRedis} are not run.`);

export default defineConfig({
  resolve: {
    // Examples import the package by its name, as their readers will.
    alias: [
      { find: /^partner-sdk$/, replacement: source('index.ts') },
      { find: /^partner-sdk\/(webhooks|sandbox|redis)$/, replacement: source('$1/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(hasRedis ? [] : needRedis)],
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
    testTimeout: 20_000,
    // Most tests wait rather than compute.
    maxWorkers: '100%',
    // Machines are shared: what a test polls for may take a while.
    expect: { poll: { timeout: 15_000 } },
  },
});
