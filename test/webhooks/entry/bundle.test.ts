import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** What a bundler makes of an application that imports these names from an entry. */
async function bundle(entry: string, names: string, external: string[] = []): Promise<Bundle> {
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
    external,
    // It would warn that the check of Node's version is left out: package.json names the built one.
    logLevel: 'error',
  });
  return {
    bytes: outputFiles[0]?.contents.length ?? 0,
    modules: Object.keys(metafile.inputs),
    ofZod: Object.values(metafile.outputs)
      .flatMap(({ inputs }) => Object.entries(inputs))
      .flatMap(([path, { bytesInOutput }]) => (path.includes('/zod/') ? [{ path, bytes: bytesInOutput }] : [])),
  };
}

interface Bundle {
  readonly bytes: number;
  readonly modules: readonly string[];
  /** The modules of zod in it. Of some not a byte is left. */
  readonly ofZod: readonly { readonly path: string; readonly bytes: number }[];
}

describe('bundled by an application', () => {
  it.each([
    ['webhooks', '{ verifyWebhook }', 12_500],
    [
      'webhooks',
      '{ verifyWebhook, ConfigurationError, isPartnerError, PartnerError, WebhookVerificationError }',
      12_500,
    ],
    ['webhooks', '*', 26_000],
    ['redis', '*', 28_000],
  ])('./%s brings %s in at most so many bytes, and no package', async (entry, names, budget) => {
    const { bytes, modules } = await bundle(entry, names);
    expect(modules.filter((module) => module.includes('node_modules'))).toEqual([]);
    expect(modules.length).toBeGreaterThan(5);
    expect(bytes).toBeGreaterThan(2_000);
    expect(bytes).toBeLessThan(budget);
  });

  // One import of classic zod brings 390 kB more: all its schemas, and their texts in every language.
  it.each(['.', 'sandbox'])('%s brings what zod/mini needs, and no other module of zod', async (entry) => {
    const { ofZod } = await bundle(entry, '*', ['undici', 'decimal.js']);
    const kept = ofZod.filter(({ bytes }) => bytes > 0);
    expect(kept.map(({ path }) => path).filter((path) => !/\/zod\/v4\/(mini|core)\//.test(path))).toEqual([]);
    expect(kept.map(({ path }) => path).filter((path) => /json-schema|locales/.test(path))).toEqual([]);
    expect(kept.length).toBeGreaterThan(5);
    expect(kept.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(84_000);
  });
});
