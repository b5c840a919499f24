import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    // Examples import the package by its name, as their readers will.
    alias: [
      { find: /^partner-sdk$/, replacement: source('index.ts') },
      { find: /^partner-sdk\/(webhooks|sandbox)$/, replacement: source('$1/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
    testTimeout: 20_000,
    // Most tests wait rather than compute.
    maxWorkers: '100%',
    // Machines are shared: what a test polls for may take a while.
    expect: { poll: { timeout: 15_000 } },
  },
});
