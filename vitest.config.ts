import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const source = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

/** The end of a file's name says where its tests belong; `.ci/run` runs all of them. */
const SLOW = ['test/**/*.slow.test.ts'];
const REDIS = ['test/**/*.redis.test.ts'];
const LANGUAGES = ['test/**/*.languages.test.ts'];
const PAGE = ['test/**/*.page.test.ts'];
const ALONE = ['test/**/*.alone.test.ts'];

export default defineConfig({
  resolve: {
    // Examples import the package by its name, as their readers will.
    alias: [
      { find: /^partner-sdk$/, replacement: source('index.ts') },
      { find: /^partner-sdk\/(webhooks|sandbox|redis|opentelemetry)$/, replacement: source('$1/index.ts') },
    ],
  },
  test: {
    // Machines are shared and slow: a limit here ends what hangs, and measures nothing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: './test/support/processes/programs.setup.ts',
    // Most tests wait rather than compute.
    maxWorkers: Math.max(3, availableParallelism()),
    // Tests make hooks fail on purpose: what the package warns of then is theirs to check, and nothing to read here.
    execArgv: [
      ...['--disable-warning=PARTNER_SDK_HOOK', '--disable-warning=PARTNER_SDK_SANDBOX_HOOK'],
      ...['--import', new URL('test/support/example-names.mjs', import.meta.url).href],
    ],
    expect: { poll: { timeout: 45_000 } },
    // A machine that runs CI may stand still for seconds: what failed there runs once more, and is told with its first error.
    retry: process.env['CI'] ? 1 : 0,
    // Failures and the result. What a test prints is shown: a test that passes should print nothing.
    reporters: [['minimal', { silent: false }], './test/support/flaky-tests.reporter.ts'],
    projects: [
      // `npm test`: every behaviour, in less than two minutes on two cores.
      {
        extends: true,
        test: {
          name: 'fast',
          // Sources are loaded once, not for each of 200 files: a third of the CPU.
          isolate: false,
          include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SLOW, ...REDIS, ...LANGUAGES, ...PAGE, ...ALONE],
        },
      },
      // `npm test`, too: what replaces clocks, and puts them back. Apart from the others, in case it does not. What needs
      // modules of its own is slow: each such file would load all sources once more.
      { extends: true, test: { name: 'alone', include: ALONE, isolate: false } },
      // `npm run test:slow`: processes, memory, chaos, and long sequences.
      { extends: true, test: { name: 'slow', include: SLOW, testTimeout: 180_000 } },
      // `npm run test:redis`: needs redis-server on the PATH.
      { extends: true, test: { name: 'redis', include: REDIS, testTimeout: 180_000 } },
      // `npm run test:languages`: needs python3, go, ruby, php, java, curl, openssl, jq and socat on the PATH.
      { extends: true, test: { name: 'languages', include: LANGUAGES, testTimeout: 180_000 } },
      // `npm run test:page`: needs Chromium.
      // Sources are loaded once, as above.
      { extends: true, test: { name: 'page', include: PAGE, testTimeout: 180_000, isolate: false } },
    ],
  },
});
