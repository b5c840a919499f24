// Makes a bundle for Node as the users of each bundler do: node bundle.mjs <bundler> <esm or cjs> <entry> <file>
import { basename, dirname } from 'node:path';
import process from 'node:process';

const [bundler, format, entry, file] = process.argv.slice(2);
const isEsm = format === 'esm';

const bundlers = {
  async esbuild() {
    const { build } = await import('esbuild');
    await build({ entryPoints: [entry], outfile: file, bundle: true, minify: true, platform: 'node', format });
  },
  async rollup() {
    const { rollup } = await import('rollup');
    const { nodeResolve } = await import('@rollup/plugin-node-resolve');
    const { default: commonjs } = await import('@rollup/plugin-commonjs');
    const plugins = [nodeResolve({ preferBuiltins: true, exportConditions: ['node'] }), commonjs()];
    const bundle = await rollup({ input: entry, plugins, external: /^node:/ });
    await bundle.write({ file, format, inlineDynamicImports: true });
  },
  async rolldown() {
    const { rolldown } = await import('rolldown');
    const bundle = await rolldown({ input: entry, platform: 'node' });
    await bundle.write({ file, format, minify: true, codeSplitting: false });
  },
  async webpack() {
    const { default: webpack } = await import('webpack');
    const library = { type: isEsm ? 'module' : 'commonjs2' };
    const chunkFormat = isEsm ? 'module' : 'commonjs';
    const output = { path: dirname(file), filename: basename(file), library, module: isEsm, chunkFormat };
    const options = { mode: 'production', target: 'node20', entry, output, experiments: { outputModule: isEsm } };
    const stats = await new Promise((resolve, reject) => {
      webpack(options, (error, done) => (error ? reject(error) : resolve(done)));
    });
    if (stats.hasErrors()) throw new Error(stats.toString());
  },
};

await bundlers[bundler]();
