import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const BENCH = import.meta.dirname;
const ROOT = dirname(BENCH);
/** What runs in measured processes; in calls. */
const SOURCES = ['measured', 'measured/clients', 'service'];

/**
 * Creates a temporary project with partner-sdk installed as its users have it, the floor's packages beside it, and what
 * is to be measured. Returns its directory.
 *
 * @param source A tarball, a clone that is built, a folder like `dist`, or a directory in whose `node_modules` the
 *   package is. Without it, this repository is built.
 */
export function createProject(source?: string): string {
  const directory = emptyProject();
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'bench', private: true, type: 'module' }));
  if (source === undefined) npm(ROOT, ['run', 'build']);
  const path = resolve(source ?? ROOT);
  if (existsSync(join(path, 'node_modules/partner-sdk'))) {
    symlinkSync(join(path, 'node_modules'), join(directory, 'node_modules'));
  } else {
    npm(directory, ['install', path.endsWith('.tgz') ? path : pack(path, directory), ...floorPackages()]);
  }
  return directory;
}

/** Another one with stripe, so that nothing of its is installed beside partner-sdk. */
export function createStripeProject(): string {
  const directory = emptyProject();
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(BENCH, file), join(directory, file));
  npm(directory, ['ci']);
  return directory;
}

/** A third one, with these packages alone. */
export function installApart(packages: readonly string[]): string {
  const directory = emptyProject();
  npm(directory, ['install', '--no-save', ...packages]);
  return directory;
}

/** It is gone when this process has ended. */
function emptyProject(): string {
  const directory = mkdtempSync(join(tmpdir(), 'partner-sdk-bench-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  addSources(directory);
  return directory;
}

/** As JavaScript: a loader would be measured with the start of every process. */
function addSources(project: string): void {
  for (const folder of SOURCES) {
    mkdirSync(join(project, folder), { recursive: true });
    for (const file of readdirSync(join(BENCH, 'calls', folder)).filter((name) => /(?<!\.d)\.ts$/.test(name))) {
      const source = readFileSync(join(BENCH, 'calls', folder, file), 'utf8');
      writeFileSync(join(project, folder, file.replace(/\.ts$/, '.js')), withoutTypes(source));
    }
  }
}

function withoutTypes(source: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  return ts.transpileModule(source, { compilerOptions }).outputText;
}

/** The commit of this repository, for the head of the results. */
export function revision(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: ROOT, encoding: 'utf8' }).trim();
  } catch {
    return 'no commit';
  }
}

/** Packs a clone, or a folder like `dist` with the manifest of this one. Returns the tarball's path. */
function pack(path: string, directory: string): string {
  let packed = path;
  if (!existsSync(join(path, 'package.json'))) {
    packed = join(directory, 'packed');
    cpSync(path, join(packed, 'dist'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(packed, 'package.json'));
  }
  const [{ filename }] = JSON.parse(npm(packed, ['pack', '--json', '--pack-destination', directory])) as [
    { filename: string },
  ];
  return join(directory, filename);
}

/** In the versions of package.json. */
function floorPackages(): string[] {
  const { dependencies } = JSON.parse(readFileSync(join(BENCH, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return ['undici', 'zod'].map((name) => `${name}@${dependencies[name]}`);
}

function npm(cwd: string, args: readonly string[]): string {
  const quietly = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  return execFileSync('npm', [...args, ...quietly], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
