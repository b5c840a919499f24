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
  dts: true,
  // One copy of every module per format: the entries share their chunks.
  splitting: true,
  clean: true,
  treeshake: true,
});
