import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { type TransformOptions, transform } from 'esbuild';
import { defineConfig, type Options } from 'tsup';

const OUT_DIR = 'dist';
const require = createRequire(resolve('package.json'));

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

const UNDICI_PARTS = `exports.Client = require('undici/lib/dispatcher/client.js');
exports.errors = require('undici/lib/core/errors.js');`;

/** Files of undici that a request with bytes, over a socket of ours, never reaches. */
const UNREACHED = /\/(web\/fetch\/body|dispatcher\/client-h2)\.js$/;

/**
 * Puts the parts of undici in the place of undici. Its parser, 54 kB of WebAssembly, is compressed, and of its two
 * forms the one that every processor runs.
 */
const undiciInside: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'undici-inside',
  setup(build) {
    build.onResolve({ filter: /^undici$/ }, () => ({ path: 'parts', namespace: 'undici' }));
    build.onLoad({ filter: /^/, namespace: 'undici' }, () => ({ contents: UNDICI_PARTS, resolveDir: resolve('.') }));
    build.onResolve({ filter: /^undici\// }, ({ path }) => ({ path: require.resolve(path) }));
    // An ES module cannot require a module of Node: it is imported.
    build.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'require-call' ? { path, namespace: 'of-node' } : undefined,
    );
    build.onLoad({ filter: /^/, namespace: 'of-node' }, ({ path }) => ({
      contents: `import * as all from '${path}';\nmodule.exports = all.default ?? all;`,
    }));
    build.onLoad({ filter: UNREACHED }, () => ({ contents: 'exports.extractBody = undefined;' }));
    build.onLoad({ filter: /\/llhttp(_simd)?-wasm\.js$/ }, () => ({ contents: compressedParser() }));
    build.onLoad({ filter: /\/undici\/lib\// }, async ({ path }) => ({
      contents: (await transform(readFileSync(path, 'utf8'), { minify: true, legalComments: 'inline' })).code,
    }));
  },
};

function compressedParser(): string {
  const wasm: Buffer = require('undici/lib/llhttp/llhttp-wasm.js');
  const base64 = brotliCompressSync(wasm).toString('base64');
  return `module.exports = require('node:zlib').brotliDecompressSync(Buffer.from('${base64}', 'base64'));`;
}

/**
 * The package's code without comments and indentation: twice in every format they would be a sixth of the package.
 * Names stay, for stack traces and debuggers, as do the comments that tell the source of each part
 * (`.ci/main-entry.mjs` reads them).
 */
const dense: NonNullable<Options['plugins']>[number] = {
  name: 'dense',
  async renderChunk(code) {
    // The compiler hides `require` behind a function. Tools that follow what a program needs read the text.
    return { code: await densely(code.replaceAll(/\b__require\((?=["'])/g, 'require(')) };
  },
};

/** Takes `x.node.ts` where there is one beside `x.ts`. */
const filesForNode: typeof checkApart = {
  name: 'files-for-node',
  setup(build) {
    build.onResolve({ filter: /^\..*\.js$/ }, ({ path, resolveDir }) => {
      const file = join(resolveDir, path.replace(/\.js$/, '.node.ts'));
      return existsSync(file) ? { path: file } : undefined;
    });
  },
};

/** Leaves out the facts of operations that the sandbox and the documents alone show: 3 kB of a bundle. */
const withoutTitles: typeof checkApart = {
  name: 'without-titles',
  setup(build) {
    build.onLoad({ filter: /\/src\/resources\/.*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/^ {2,4}(title|stability):\s+'[^']*',\n/gm, ''),
      loader: 'ts',
    }));
  },
};

async function densely(code: string, options: TransformOptions = {}): Promise<string> {
  const marked = code.replace(/^\/\/ (?=src\/)/gm, '//! ');
  const made = await transform(marked, {
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'inline',
    lineLimit: MAX_LINE_LENGTH,
    ...options,
  });
  return made.code.replace(/\n?\/\/! (?=src\/)/g, '\n// ').trimStart();
}

/** Reads zod from a file of ours, which has no more of it than is used. */
const zodApart: typeof checkApart = {
  name: 'zod-apart',
  setup(build) {
    build.onResolve({ filter: /^zod\/mini$/ }, () => ({ path: './zod.cjs', external: true, sideEffects: false }));
  },
};

/** Without the names of locals, too: bundlers shorten them in any case. */
const denser: typeof dense = {
  name: 'denser',
  async renderChunk(code) {
    return { code: await densely(code, { minifyIdentifiers: true, format: 'esm' }) };
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

/** Small rather than readable: they are large, and no part of an application. */
const small: Options = {
  // Rollup would write shortened names in full again.
  treeshake: false,
  esbuildOptions(options) {
    options.minify = true;
    options.legalComments = 'none';
  },
};

const declared: Options = {
  ...common,
  format: 'cjs',
  // The declaration bundle follows only what the entries export, so nothing internal (zod above all) reaches the users'
  // compiler.
  dts: {
    // Members marked @internal speak of operations, and so of zod.
    compilerOptions: { stripInternal: true },
    // The bundler of declarations drops this directive from the sources; without it `Symbol.asyncDispose` is unknown to
    // lib ES2022.
    banner: '/// <reference lib="esnext.disposable" />',
  },
  // One copy of every module: the entries of one build share their chunks.
  splitting: true,
};

/**
 * What an application loads in Node: apart from the sandbox, so that the sandbox cannot add a byte to it
 * (`.ci/main-entry.mjs` checks that). It is CommonJS, which can load parts when they are needed.
 * `.ci/finish-build.mjs` writes ES modules that give its exports on.
 */
export const library: Options = {
  ...declared,
  name: 'library',
  entry: {
    index: 'src/index.ts',
    webhooks: 'src/webhooks/index.ts',
    redis: 'src/redis/index.ts',
    opentelemetry: 'src/opentelemetry/index.ts',
  },
  // `zodApart` resolves it.
  noExternal: ['zod/mini'],
  esbuildPlugins: [checkApart, filesForNode, zodApart, withoutTitles],
};

/** The file of `zodApart`. */
export const zod: Options = {
  ...common,
  ...small,
  name: 'zod',
  entry: { zod: 'src/schema/zod-mini/zod-parts.ts' },
  format: 'cjs',
  noExternal: ['zod'],
};

/** Files that have another form for runtimes that are not Node: the platform's bundler chooses one by `imports`. */
const PAIRS = {
  'async-scope': 'src/runtime/async-scope',
  'connection-advice': 'src/response/connection-advice',
  compile: 'src/schema/zod-mini/compile',
  crypto: 'src/runtime/crypto',
  default: 'src/transport/default',
  immediate: 'src/runtime/immediate',
  'short-decimal': 'src/schema/short-decimal',
  signer: 'src/signing/signer',
  timers: 'src/util/timers',
  'zod-parts': 'src/schema/zod-mini/zod-parts',
};

/**
 * Leaves the choice of a pair's file to `imports` in package.json. The check of Node's version is one, too, and zod: what
 * of it is used is in the file of a pair.
 */
const pairsApart: typeof checkApart = {
  name: 'pairs-apart',
  setup(build) {
    build.onResolve({ filter: /^\..*\.js$/ }, ({ path, resolveDir }) => {
      const file = join(resolveDir, path.replace(/\.js$/, ''));
      if (!existsSync(`${file}.edge.ts`)) return undefined;
      return { path: `#${basename(file)}`, external: true, sideEffects: path.endsWith(`${SUPPORTED_NODE}.js`) };
    });
    build.onResolve({ filter: /^zod\/mini$/ }, ({ importer }) => {
      const isPart = basename(importer) === 'zod-parts.ts';
      return { path: isPart ? 'zod/mini' : '#zod-parts', external: true, sideEffects: false };
    });
  },
};

/**
 * What bundlers read: the export conditions `module`, and `workerd` and `edge-light` for runtimes that are not Node. ES
 * modules, with the parts of undici that are used, since all of undici is half a megabyte, and fails in an ES module.
 */
export const bundled: Options = {
  ...common,
  name: 'bundled',
  entry: {
    module: 'src/index.ts',
    edge: 'src/edge.ts',
    'module-webhooks': 'src/webhooks/index.ts',
    'module-redis': 'src/redis/index.ts',
    'module-opentelemetry': 'src/opentelemetry/index.ts',
    ...Object.fromEntries(Object.entries(PAIRS).map(([name, file]) => [`module-${name}`, `${file}.ts`])),
    ...Object.fromEntries(Object.entries(PAIRS).map(([name, file]) => [`edge-${name}`, `${file}.edge.ts`])),
    'edge-supported-node': 'src/util/supported-node.edge.ts',
  },
  format: 'esm',
  splitting: true,
  // `pairsApart` resolves the second.
  noExternal: ['undici', 'zod/mini'],
  plugins: [denser],
  esbuildOptions(options) {
    // Otherwise the files of undici have names in the code, with the paths from here.
    options.minifyIdentifiers = true;
  },
  esbuildPlugins: [pairsApart, undiciInside, withoutTitles],
};

/** Shared by every entry of both formats. */
export const supportedNode: Options = {
  ...common,
  name: SUPPORTED_NODE,
  entry: { [SUPPORTED_NODE]: 'src/util/supported-node.ts' },
  format: 'cjs',
};

/**
 * Has its own copy of the operations. It is one file for both formats, as it is large: `.ci/finish-build.mjs` writes the
 * ES module, which gives its exports on.
 */
const sandbox: Options = {
  ...declared,
  ...small,
  // It finds files of the package from here. CommonJS has no `import.meta`.
  define: { 'import.meta.url': '__filename' },
  name: 'sandbox',
  // With it tsup would write CommonJS by a second compiler, a sixth larger.
  splitting: false,
  // They check addresses. As dependencies, every application would install them.
  noExternal: [/^@(scure|noble)\//],
  // The client of `createTestClient` is the one that the application has.
  external: ['partner-sdk'],
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

/** The command of the package's own name. It uses the package as an application does. */
const doctor: Options = {
  ...common,
  ...small,
  name: 'doctor',
  entry: { 'partner-sdk': 'src/doctor/main.ts' },
  format: 'esm',
  splitting: false,
  external: ['partner-sdk'],
};

export default defineConfig(() => {
  // Here and not by `clean`: the builds run at the same time, and one would remove what another has written.
  rmSync(OUT_DIR, { recursive: true, force: true });
  return [supportedNode, library, zod, bundled, sandbox, command, doctor];
});
