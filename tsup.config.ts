import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];
const require = createRequire(resolve('package.json'));

/**
 * The check of Node's version is a file of its own, which each file loads before anything else: undici fails on an old
 * one.
 */
const CHECK = 'supported-node';

/** Replaces imports, by the name of their file: by a file of `src`, or by one that is loaded at run time. */
const redirect = (names: Readonly<Record<string, string>>): Plugin => ({
  name: 'redirect',
  setup(build) {
    build.onResolve({ filter: /^\..*\.js$/ }, ({ path, importer }) => {
      const to = { [CHECK]: `./${CHECK}.cjs`, ...names }[basename(path, '.js')];
      if (to === undefined || importer.includes('node_modules')) return undefined;
      if (to.startsWith('src/')) return { path: resolve(to) };
      return { path: to, external: true, sideEffects: to.includes(CHECK) };
    });
  },
});

// With `removeNodeProtocol`, the bare name `crypto` could be a package's.
const common: Options = {
  outDir: 'dist',
  target: 'node20',
  treeshake: true,
  splitting: false,
  removeNodeProtocol: false,
};

/** Code that an application loads: as it is written, with its sources for stacks and debuggers. */
const readable: Options = { ...common, sourcemap: true, splitting: true };

/** Code that is no part of an application. Rollup would write shortened names in full again. */
const small: Options = {
  ...common,
  treeshake: false,
  esbuildPlugins: [redirect({})],
  // Short lines, as far as they go: Node prints the whole line in which an uncaught error was thrown.
  esbuildOptions: (options) => void Object.assign(options, { minify: true, legalComments: 'none', lineLimit: 160 }),
};

const declarations = (entry: Readonly<Record<string, string>>): NonNullable<Options['dts']> => ({
  entry: Object.fromEntries(Object.entries(entry).map(([name, file]) => [`declarations/${name}`, file])),
  // Members marked @internal speak of operations, and so of zod.
  compilerOptions: { stripInternal: true },
  // The bundler of declarations leaves it out. Without it lib ES2022 has no `Symbol.asyncDispose`.
  banner: '/// <reference lib="esnext.disposable" />',
});

const filesOf = (prefix: string): Record<string, string> =>
  Object.fromEntries(['webhooks', 'redis', 'opentelemetry'].map((one) => [prefix + one, `src/${one}/index.ts`]));
const ENTRIES = { index: 'src/index.ts', ...filesOf('') };

/** Rollup exports what is in another chunk by getters, which `jest.mock()` leaves out. */
function exportValues(file: string): void {
  const getter = /^Object\.defineProperty\(exports, "(\w+)", \{\n.*\n +get: function \(\) \{ return (.*); \}\n\}\);/gm;
  // The lines stay, for the source map.
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(getter, 'exports.$1 = $2;\n\n\n'));
}

/** What an application loads in Node: CommonJS, which can load parts when they are needed. */
export const library: Options = {
  ...readable,
  format: 'cjs',
  entry: ENTRIES,
  dts: declarations({ ...ENTRIES, edge: 'src/edge.ts' }),
  banner: { js: `import './${CHECK}.cjs';` },
  esbuildPlugins: [redirect({ 'undici-parts': './undici-parts.cjs', zod: './zod-parts.cjs' })],
  onSuccess: async () => Object.keys(ENTRIES).forEach((entry) => void exportValues(`dist/${entry}.cjs`)),
};

const PARTS_OF_UNDICI = { 'undici-parts': 'src/transport/http1/undici-parts.node.ts' };

/** Rollup would hide their `require` from tools that follow what a program needs. */
export const requiredParts: Options = {
  ...common,
  treeshake: false,
  entry: { ...PARTS_OF_UNDICI, 'zod-parts': 'src/schema/zod.node.ts' },
  format: 'cjs',
};

/** The check, without a helper of esbuild. */
export const check: Options = { ...common, entry: { [CHECK]: `src/util/${CHECK}.ts` }, format: 'cjs' };

/** What bundlers read: ES modules. `imports` in package.json chooses between the two forms of a file. */
export const bundled: Options = {
  ...readable,
  entry: {
    edge: 'src/edge.ts',
    module: ENTRIES.index,
    ...filesOf('module-'),
    'module-crypto': 'src/runtime/crypto.ts',
    'module-default': 'src/transport/default.ts',
    'edge-crypto': 'src/runtime/crypto.edge.ts',
    'edge-default': 'src/transport/default.edge.ts',
  },
  format: 'esm',
  banner: { js: `import '#${CHECK}';` },
  esbuildPlugins: [
    redirect({
      [CHECK]: `#${CHECK}`,
      crypto: '#crypto',
      default: '#default',
      compile: 'src/schema/validate/compile.bundle.ts',
      'noble-hashes': './noble-hashes.js',
      'undici-parts': './undici-parts.js',
    }),
  ],
};

/**
 * Files that are left out of a bundle, because a request with bytes over a socket of ours never reaches them: the bodies
 * of `fetch`, 44 kB of a minified bundle; the second form of the parser, 72 kB; undici's HTTP/2, 10 kB, which also loads
 * `node:http2`, 6 ms of a start. All of undici, to which the build for Node can fall back, would be another 256 kB.
 */
const UNREACHED = /\/(web\/fetch\/body|dispatcher\/client-h2|llhttp\/llhttp_simd-wasm)\.js$/;

export const apart: Options = {
  ...common,
  entry: {
    [`module-${CHECK}`]: `src/util/${CHECK}.ts`,
    [`edge-${CHECK}`]: `src/util/${CHECK}.edge.ts`,
    'noble-hashes': 'src/runtime/noble-hashes.ts',
  },
  format: 'esm',
};

/** `require` fails in an ES module, and an import of Node's modules would load them all before the first call. */
const partsOfUndici: Plugin = {
  name: 'parts-of-undici',
  setup(build) {
    build.onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: 'unreached' }));
    build.onResolve({ filter: /^undici\// }, ({ path }) => ({ path: require.resolve(path) }));
    build.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'require-call' ? { path, namespace: 'of-node' } : undefined,
    );
    const whenNeeded = (path: string) => `module.exports = process.getBuiltinModule('${path}');`;
    build.onLoad({ filter: /^/, namespace: 'of-node' }, ({ path }) => ({ contents: whenNeeded(path) }));
    build.onLoad({ filter: UNREACHED }, () => ({ contents: '' }));
    build.onLoad({ filter: /^/, namespace: 'unreached' }, () => ({ contents: '' }));
  },
};

export const bundledUndici: Options = {
  ...common,
  entry: PARTS_OF_UNDICI,
  format: 'esm',
  noExternal: [/^undici/],
  esbuildPlugins: [partsOfUndici],
};

const SANDBOX = { sandbox: 'src/sandbox/index.ts' };
/** It has its own copy of the operations, and takes the client that the application has. */
const sandbox: Options = {
  ...small,
  entry: SANDBOX,
  format: 'cjs',
  dts: declarations(SANDBOX),
  banner: { js: `'use strict';require('./${CHECK}.cjs');` },
  // It finds files of the package from here. CommonJS has no `import.meta`.
  define: { 'import.meta.url': '__filename' },
  external: ['partner-sdk'],
};

const COMMANDS = { 'partner-sandbox': 'src/sandbox/cli/main.ts', 'partner-sdk': 'src/command/main.ts' };
const commands: Options = { ...small, entry: COMMANDS, format: 'esm', external: [/^partner-sdk/] };

export default defineConfig(() => {
  // Here and not by `clean`: the builds run at the same time, and one would remove what another has written.
  rmSync('dist', { recursive: true, force: true });
  return [library, check, requiredParts, bundled, bundledUndici, apart, sandbox, commands];
});
