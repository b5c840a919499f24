import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const BENCH = import.meta.dirname;
const ROOT = dirname(BENCH);
/** What runs in measured processes. */
const SOURCES = ['measured', 'measured/clients', 'service'];

/** Where partner-sdk comes from. */
export interface Origin {
  /** Installed already, in `node_modules` of this directory; else this repository is packed. */
  readonly installedIn?: string | undefined;
  /** Packs `dist` as it is. */
  readonly built: boolean;
}

/** A temporary project with partner-sdk installed as its users have it, the floor's packages beside it, and what is to be measured. */
export function createProject(origin: Origin): string {
  const directory = mkdtempSync(join(tmpdir(), 'partner-sdk-bench-'));
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'bench', private: true, type: 'module' }));
  if (origin.installedIn === undefined) install(directory, [pack(directory, origin.built), ...floorPackages()]);
  else symlinkSync(join(origin.installedIn, 'node_modules'), join(directory, 'node_modules'));
  addSources(directory);
  return directory;
}

/** As JavaScript: a loader would be measured with the start of every process. */
export function addSources(project: string): void {
  for (const folder of SOURCES) {
    mkdirSync(join(project, folder), { recursive: true });
    for (const file of readdirSync(join(BENCH, folder)).filter((name) => name.endsWith('.ts'))) {
      const source = readFileSync(join(BENCH, folder, file), 'utf8');
      writeFileSync(join(project, folder, file.replace(/\.ts$/, '.js')), withoutTypes(source));
    }
  }
}

function withoutTypes(source: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  return ts.transpileModule(source, { compilerOptions }).outputText;
}

/** Gives the tarball's path. */
function pack(directory: string, built: boolean): string {
  if (!built) npm(ROOT, ['run', 'build']);
  const report = npm(ROOT, ['pack', '--json', '--ignore-scripts', '--pack-destination', directory]);
  const [{ filename }] = JSON.parse(report) as [{ filename: string }];
  return join(directory, filename);
}

function floorPackages(): string[] {
  const { dependencies } = JSON.parse(readFileSync(join(BENCH, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return ['undici', 'zod'].map((name) => `${name}@${dependencies[name]}`);
}

export function install(directory: string, packages: readonly string[]): void {
  npm(directory, ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', ...packages]);
}

function npm(cwd: string, args: readonly string[]): string {
  return execFileSync('npm', [...args, '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
