import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { build } from 'esbuild';
import { vi } from 'vitest';
import { type Block, titleOf } from './blocks.js';
import { moduleOf } from './modules.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Inside the project, where the dependencies are found. */
const FOLDER = join(ROOT, `node_modules/.cache/documents-${process.pid}-${randomUUID()}`);

const fileOf = (block: Block): string => titleOf(block).replaceAll(/\W/g, '-');

/**
 * Compiles blocks in one go, each to a module of its own over one copy of the sources. Returns a
 * function that removes the modules.
 */
export async function compile(blocks: readonly Block[]): Promise<() => Promise<void>> {
  const texts = new Map(blocks.map((block) => [`block:${fileOf(block)}`, moduleOf(block).text]));
  await build({
    entryPoints: Object.fromEntries(blocks.map((block) => [fileOf(block), `block:${fileOf(block)}`])),
    outdir: FOLDER,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'node20',
    packages: 'external',
    alias: Object.fromEntries(
      ['', '/webhooks', '/sandbox', '/redis', '/opentelemetry'].map((entry) => [
        `partner-sdk${entry}`,
        join(ROOT, `src${entry}/index.ts`),
      ]),
    ),
    logLevel: 'silent',
    plugins: [
      {
        name: 'blocks',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^block:/ }, ({ path }) => ({ path, namespace: 'block' }));
          onLoad({ filter: /./, namespace: 'block' }, ({ path }) => ({
            contents: texts.get(path) ?? '',
            loader: 'ts',
            // Where the compiler finds a relative import as well.
            resolveDir: join(ROOT, 'test/documents'),
          }));
        },
      },
    ],
  });
  return () => rm(FOLDER, { recursive: true, force: true });
}

/** Runs a compiled block to its end. Returns what it printed; rejects with what it throws. */
export async function run(block: Block): Promise<string> {
  let printed = '';
  const print = (...values: unknown[]) => {
    printed += `${format(...values)}\n`;
  };
  const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(print),
  );
  try {
    await import(/* @vite-ignore */ pathToFileURL(join(FOLDER, `${fileOf(block)}.mjs`)).href);
    return printed;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
