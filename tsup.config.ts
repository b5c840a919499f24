import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    webhooks: 'src/webhooks/index.ts',
    sandbox: 'src/sandbox/index.ts',
  },
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'node',
  // The declaration bundle follows only what the entries export, so nothing internal (zod above all) reaches the users' compiler.
  dts: {
    // Members marked @internal speak of operations, and so of zod.
    compilerOptions: { stripInternal: true },
    // The bundler of declarations drops this directive from the sources; without it `Symbol.asyncDispose` is unknown to lib ES2022.
    banner: '/// <reference lib="esnext.disposable" />',
  },
  // One copy of every module per format: the entries share their chunks.
  splitting: true,
  clean: true,
  treeshake: true,
  // `node:crypto` stays so: the bare name could be a package's, and bundlers for other runtimes know only the prefixed one.
  removeNodeProtocol: false,
});
