import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** What a bundler makes of an application that imports these names from an entry. */
async function bundle(entry: string, names: string): Promise<{ bytes: number; modules: string[] }> {
  const path = fileURLToPath(new URL(`../../../src/${entry}/index.ts`, import.meta.url));
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export ${names} from ${JSON.stringify(path)}`, resolveDir: '.' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    write: false,
    metafile: true,
    // It would warn that the check of Node's version is left out: package.json names the built one.
    logLevel: 'error',
  });
  return { bytes: outputFiles[0]?.contents.length ?? 0, modules: Object.keys(metafile.inputs) };
}

describe('bundled by an application', () => {
  it.each([
    ['webhooks', '{ verifyWebhook }', 12_000],
    [
      'webhooks',
      '{ verifyWebhook, ConfigurationError, isPartnerError, PartnerError, WebhookVerificationError }',
      12_000,
    ],
    ['webhooks', '*', 24_000],
    ['redis', '*', 28_000],
  ])('./%s brings %s in at most so many bytes, and no package', async (entry, names, budget) => {
    const { bytes, modules } = await bundle(entry, names);
    expect(modules.filter((module) => module.includes('node_modules'))).toEqual([]);
    expect(modules.length).toBeGreaterThan(5);
    expect(bytes).toBeGreaterThan(2_000);
    expect(bytes).toBeLessThan(budget);
  });
});
