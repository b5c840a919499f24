import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { defineConfig, type Options } from 'tsup';

const OUT_DIR = 'dist';

/**
 * In characters; esbuild breaks a line at the next place behind it. Node prints the whole line in which an uncaught
 * error was thrown.
 */
const MAX_LINE_LENGTH = 260;

/**
 * The check of Node's version stays a file of its own, which every entry loads before anything else: in one file with
 * the rest it would run after the imports of that file, and undici fails on an old Node. It is CommonJS for both
 * formats, so one file serves them.
 */
const SUPPORTED_NODE = 'supported-node';
const checkApart: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'supported-node-apart',
  setup(build) {
    build.onResolve({ filter: /\/supported-node\.js$/ }, () => ({
      path: `./${SUPPORTED_NODE}.cjs`,
      external: true,
      sideEffects: true,
    }));
  },
};

/**
 * The package's code without comments and indentation: twice in every format they would be a sixth of the package.
 * Names stay, for stack traces and debuggers, as do the comments that tell the source of each part
 * (`.ci/main-entry.mjs` reads them).
 */
const dense: NonNullable<Options['plugins']>[number] = {
  name: 'dense',
  async renderChunk(code) {
    const marked = code.replace(/^\/\/ (?=src\/)/gm, '//! ');
    const made = await transform(marked, {
      minifyWhitespace: true,
      minifySyntax: true,
      legalComments: 'inline',
      lineLimit: MAX_LINE_LENGTH,
    });
    return { code: made.code.replace(/\n?\/\/! (?=src\/)/g, '\n// ').trimStart() };
  },
};

const common: Options = {
  outDir: OUT_DIR,
  target: 'node20',
  platform: 'node',
  treeshake: true,
  esbuildPlugins: [checkApart],
  plugins: [dense],
  // `node:crypto` stays so: the bare name could be a package's, and bundlers for other runtimes know only the prefixed
  // one.
  removeNodeProtocol: false,
};

const modules: Options = {
  ...common,
  format: ['esm', 'cjs'],
  // The declaration bundle follows only what the entries export, so nothing internal (zod above all) reaches the users'
  // compiler.
  dts: {
    // Members marked @internal speak of operations, and so of zod.
    compilerOptions: { stripInternal: true },
    // The bundler of declarations drops this directive from the sources; without it `Symbol.asyncDispose` is unknown to
    // lib ES2022.
    banner: '/// <reference lib="esnext.disposable" />',
  },
  // One copy of every module per format: the entries of one build share their chunks.
  splitting: true,
};

/**
 * What an application loads: apart from the sandbox, so that the sandbox cannot add a byte to it (`.ci/main-entry.mjs`
 * checks that).
 */
export const library: Options = {
  ...modules,
  name: 'library',
  entry: {
    index: 'src/index.ts',
    webhooks: 'src/webhooks/index.ts',
    redis: 'src/redis/index.ts',
    opentelemetry: 'src/opentelemetry/index.ts',
  },
};

/** Takes `x.edge.ts` where there is one beside `x.ts`. Nothing of Node may be left: `neutral` knows none of it. */
const edgeFiles: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'edge-files',
  setup(build) {
    build.onResolve({ filter: /^\..*\.js$/ }, ({ path, resolveDir }) => {
      const edge = join(resolveDir, path.replace(/\.js$/, '.edge.ts'));
      return existsSync(edge) ? { path: edge } : undefined;
    });
  },
};

/** For runtimes that are not Node: the export conditions `workerd` and `edge-light`. */
export const edge: Options = {
  ...common,
  name: 'edge',
  entry: { edge: 'src/edge.ts', 'edge-webhooks': 'src/webhooks/index.ts' },
  format: 'esm',
  platform: 'neutral',
  esbuildPlugins: [edgeFiles],
  splitting: true,
};

/** Shared by every entry of both formats. */
export const supportedNode: Options = {
  ...common,
  name: SUPPORTED_NODE,
  entry: { [SUPPORTED_NODE]: 'src/util/supported-node.ts' },
  format: 'cjs',
};

/** Small rather than readable: they are large, and no part of an application. */
const small: Options = {
  // Rollup would write shortened names in full again.
  treeshake: false,
  esbuildOptions(options) {
    options.minify = true;
    options.legalComments = 'none';
  },
};

/**
 * Has its own copy of the operations. It is one file for both formats, as it is large: `.ci/finish-build.mjs` writes the
 * ES module, which gives its exports on.
 */
const sandbox: Options = {
  ...modules,
  ...small,
  format: 'cjs',
  // It finds files of the package from here. CommonJS has no `import.meta`.
  define: { 'import.meta.url': '__filename' },
  name: 'sandbox',
  // With it tsup would write CommonJS by a second compiler, a sixth larger.
  splitting: false,
  // They check addresses. As dependencies, every application would install them.
  noExternal: [/^@(scure|noble)\//],
  entry: { sandbox: 'src/sandbox/index.ts' },
};

/**
 * Uses the package as its users do: the sandbox is not in it once more. It is required: `import` would read the whole
 * of it once more for the names of its exports, a fifth of the CPU of a start.
 */
const command: Options = {
  ...common,
  ...small,
  esbuildOptions(options) {
    small.esbuildOptions?.(options, { format: 'esm' });
    options.supported = { 'dynamic-import': false };
    options.banner = {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    };
  },
  name: 'command',
  entry: { 'partner-sandbox': 'src/sandbox/cli/main.ts' },
  format: 'esm',
  splitting: false,
  external: ['partner-sdk/sandbox'],
};

export default defineConfig(() => {
  // Here and not by `clean`: the builds run at the same time, and one would remove what another has written.
  rmSync(OUT_DIR, { recursive: true, force: true });
  return [supportedNode, library, edge, sandbox, command];
});
