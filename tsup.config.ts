import { rmSync } from 'node:fs';
import { transform } from 'esbuild';
import { defineConfig, type Options } from 'tsup';

const OUT_DIR = 'dist';

const common: Options = {
  outDir: OUT_DIR,
  target: 'node20',
  platform: 'node',
  treeshake: true,
  // `node:crypto` stays so: the bare name could be a package's, and bundlers for other runtimes know only the prefixed one.
  removeNodeProtocol: false,
};

const modules: Options = {
  ...common,
  format: ['esm', 'cjs'],
  // The declaration bundle follows only what the entries export, so nothing internal (zod above all) reaches the users' compiler.
  dts: {
    // Members marked @internal speak of operations, and so of zod.
    compilerOptions: { stripInternal: true },
    // The bundler of declarations drops this directive from the sources; without it `Symbol.asyncDispose` is unknown to lib ES2022.
    banner: '/// <reference lib="esnext.disposable" />',
  },
  // One copy of every module per format: the entries of one build share their chunks.
  splitting: true,
};

/**
 * The package's code without the comments of the sources: the declarations have those that users need, and twice in every format they
 * would be a twentieth of the package. It stays readable otherwise, for stack traces and debuggers, and the comments that tell the
 * source of each part stay (`.ci/main-entry.mjs` reads them).
 */
const withoutComments: NonNullable<Options['plugins']>[number] = {
  name: 'without-comments',
  async renderChunk(code) {
    const marked = code.replace(/^\/\/ (?=src\/)/gm, '//! ');
    const bare = await transform(marked, { minifyWhitespace: true, legalComments: 'inline' });
    const readable = await transform(bare.code, { legalComments: 'inline' });
    return { code: readable.code.replace(/^\/\/! (?=src\/)/gm, '// ') };
  },
};

/** What an application loads: apart from the sandbox, so that the sandbox cannot add a byte to it (`.ci/main-entry.mjs` checks that). */
export const library: Options = {
  ...modules,
  name: 'library',
  plugins: [withoutComments],
  entry: { index: 'src/index.ts', webhooks: 'src/webhooks/index.ts', redis: 'src/redis/index.ts' },
};

/** Small rather than readable: they are large, and no part of an application. Names stay, for errors and `util.inspect`. */
const small: Options = { minify: true, keepNames: true };

/** Has its own copy of the operations. */
const sandbox: Options = {
  ...modules,
  name: 'sandbox',
  ...small,
  entry: { sandbox: 'src/sandbox/index.ts' },
};

/** Uses the package as its users do: the sandbox is not in it once more. */
const command: Options = {
  ...common,
  ...small,
  name: 'command',
  entry: { 'partner-sandbox': 'src/sandbox/cli/main.ts' },
  format: 'esm',
  splitting: false,
  external: ['partner-sdk/sandbox'],
};

export default defineConfig(() => {
  // Here and not by `clean`: the builds run at the same time, and one would remove what another has written.
  rmSync(OUT_DIR, { recursive: true, force: true });
  return [library, sandbox, command];
});
