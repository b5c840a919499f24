/** Blocks that the test of all blocks does not run. `has` is a text that only this block has. */
export const NOT_RUN: readonly { readonly has: string; readonly reason: string }[] = [
  { has: 'npm install partner-sdk\n', reason: 'installs from a registry; CI installs the packed tarball' },
  {
    has: 'npm install @opentelemetry/api',
    reason: 'installs from a registry; CI installs it beside the packed tarball',
  },
  {
    has: '@opentelemetry/sdk-node@0.223',
    reason: 'installs from a registry; .ci/consumers/recipes/traces.mjs runs it',
  },
  { has: '@sentry/node@11', reason: 'installs from a registry; .ci/consumers/recipes/traces.mjs runs it' },
  { has: 'openssl req -x509', reason: 'openssl reports its progress on stderr; test/cli/tls.slow.test.ts runs it' },
  { has: 'npm ci && npm run quickstart', reason: 'CI runs both commands' },
  { has: "import { redisKeyLeases } from 'partner-sdk/redis';", reason: 'test/redis/documents.redis.test.ts runs it' },
  {
    has: 'npm install --save-dev jest',
    reason: 'installs from a registry; .ci/consumers/recipes/test-tools.mjs runs the files',
  },
  {
    has: 'vitest\nnpx vitest',
    reason: 'installs from a registry; .ci/consumers/recipes/test-tools.mjs runs the files',
  },
  { has: 'vitest msw', reason: 'installs from a registry; .ci/consumers/recipes/test-tools.mjs runs the files' },
  { has: 'npx @stoplight/prism-cli@5.14.2', reason: 'installs from a registry; CI serves the document with Prism' },
  { has: 'npm ci                # once', reason: 'CI runs these commands; this test is one of them' },
  { has: 'examples/express src', reason: 'installs from a registry; CI runs it with the packed tarball' },
  { has: 'examples/fastify src', reason: 'installs from a registry; CI runs it with the packed tarball' },
  { has: 'examples/koa src', reason: 'installs from a registry; CI runs it with the packed tarball' },
  { has: 'examples/nestjs src', reason: 'installs from a registry; CI runs it with the packed tarball' },
  { has: 'examples/nextjs/. .', reason: 'installs from a registry; CI runs it with the packed tarball' },
  { has: 'examples/hono src', reason: 'installs from a registry; CI runs it with the packed tarball' },
  { has: 'examples/sql src', reason: 'installs from a registry; CI installs the packed tarball' },
  { has: 'examples/payouts src', reason: 'installs from a registry; CI runs the program with the packed tarball' },
  { has: 'examples/jobs .', reason: 'installs from a registry; test/examples/jobs.slow.test.ts runs the programs' },
  { has: 'skipLibCheck\nnode dist/main.js', reason: 'compiles the block before, with the packed tarball' },
];
