import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What an installation brings. */
export interface InstalledSize {
  readonly version: string;
  /** Of the package and everything that it depends on. */
  readonly bytes: number;
  readonly packages: number;
  /** Lines of the package's own declarations, those for `import` and for `require`. */
  readonly declarationLines: number;
}

interface Manifest {
  readonly version: string;
  readonly dependencies?: Record<string, string>;
}

/** Of a package in `project/node_modules`. */
export function installedSize(project: string, name: string): InstalledSize {
  const root = directoryOf(name, project);
  if (root === undefined) throw new Error(`${name} is not installed in ${project}`);
  const packages = [...closure(root)];
  const declarations = filesOf(root).filter((path) => /\.d\.[cm]?ts$/.test(path));
  return {
    version: manifestOf(root).version,
    bytes: sum(packages.flatMap(filesOf).map((path) => statSync(path).size)),
    packages: packages.length,
    declarationLines: sum(declarations.map((path) => readFileSync(path, 'utf8').split('\n').length - 1)),
  };
}

/** The package's directory, and those of everything that it needs. */
function closure(root: string): ReadonlySet<string> {
  const found = new Set([root]);
  // A set goes on to what is added while it is walked through.
  for (const directory of found) {
    for (const name of Object.keys(manifestOf(directory).dependencies ?? {})) {
      const dependency = directoryOf(name, directory);
      if (dependency === undefined) throw new Error(`${directory}: ${name} is not installed`);
      found.add(dependency);
    }
  }
  return found;
}

/** Where Node finds a package from a directory. */
function directoryOf(name: string, from: string): string | undefined {
  const directory = join(from, 'node_modules', name);
  if (existsSync(join(directory, 'package.json'))) return realpathSync(directory);
  return dirname(from) === from ? undefined : directoryOf(name, dirname(from));
}

function manifestOf(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
}

/** All but those of packages within. */
function filesOf(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesOf(path);
    return [path];
  });
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
