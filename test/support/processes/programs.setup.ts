import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

/** What tests run in processes of their own. */
const PROGRAMS = [
  'examples/workers.ts',
  'src/command/main.ts',
  'src/sandbox/index.ts',
  'src/sandbox/cli/main.ts',
  'test/calls/support/closed-client.ts',
  'test/calls/support/hostile-answers-caller.ts',
  'test/calls/support/long-list.ts',
  'test/calls/support/many-calls.ts',
  'test/calls/support/refused-caller.ts',
  'test/calls/support/shared-key-caller.ts',
  'test/calls/support/stopped-caller.ts',
  'test/redis/support/leaver.ts',
  'test/redis/support/worker.ts',
  'test/schema/support/readings.ts',
  'test/support/processes/leaver.ts',
  'test/support/processes/reporting-caller.ts',
  'test/transport/support/caller.ts',
] as const;

export type Program = (typeof PROGRAMS)[number];

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the built programs. */
    programs: string;
  }
}

/** The documents that the sandbox serves. A build has made them, unless the clone is fresh. */
function makeDocuments(): void {
  if (existsSync('dist/openapi.json')) return;
  execFileSync(process.execPath, ['--import', 'tsx', 'tools/openapi/build.ts'], { stdio: 'ignore' });
}

/** Every project runs this file anew in one process: the first one builds, for all of them. */
const shared: typeof globalThis & { builtPrograms?: Promise<string> } = globalThis;

/** Builds the programs before the first test: no process compiles TypeScript at its start, which takes a second of CPU. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  shared.builtPrograms ??= buildPrograms();
  const folder = await shared.builtPrograms;
  provide('programs', folder);
  return () => rm(folder, { recursive: true, force: true });
}

async function buildPrograms(): Promise<string> {
  makeDocuments();
  // The page that the sandbox serves.
  execFileSync(process.execPath, ['--import', 'tsx', 'tools/build/page.ts'], { stdio: 'ignore' });
  // Inside the project, where the dependencies and the package's own documents are found.
  const folder = join(process.cwd(), `.cache/tests-${randomUUID()}`);
  await build({
    entryPoints: [...PROGRAMS],
    outdir: folder,
    outbase: '.',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  return folder;
}
