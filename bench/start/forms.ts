import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';

const INSTALLED: BuildOptions = { packages: 'external' };

/** What a program can be when it starts. */
export const FORMS = {
  'ES module': { ...INSTALLED, format: 'esm', outExtension: { '.js': '.mjs' } },
  CommonJS: { ...INSTALLED, format: 'cjs', outExtension: { '.js': '.cjs' } },
  'bundled by esbuild': { format: 'cjs', minify: true, outExtension: { '.js': '.bundle.cjs' } },
} as const satisfies Record<string, BuildOptions>;

export type Form = keyof typeof FORMS;

/** Makes every form of a program, in the project that has what it imports. */
export function makeForms(project: string, name: string): void {
  const sources = join(project, 'programs');
  cpSync(join(import.meta.dirname, 'programs'), sources, { recursive: true });
  for (const options of Object.values(FORMS)) {
    const entryPoints = [join(sources, `${name}.mjs`)];
    buildSync({ ...options, entryPoints, outdir: join(project, 'forms'), bundle: true, platform: 'node' });
  }
}

export function fileOf(project: string, name: string, form: Form): string {
  return join(project, 'forms', name + FORMS[form].outExtension['.js']);
}
