import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, createProject } from './project.mjs';

/** The oldest one that README promises, one in between, and the newest of each major version. */
const COMPILERS = ['5.2', '5.4', '5.9', '6'];

const STRICT = {
  target: 'es2022',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
};

const APPLICATION = { noEmit: true };

/** A library that builds on the package: what it exposes must have names that its declarations can say. */
const LIBRARY = { declaration: true, emitDeclarationOnly: true, outDir: 'declarations' };

/** Older compilers find no name for a type that a package's entry re-exports from another of its files (TS2742). */
const OLDEST_FOR_LIBRARIES = '5.4';

/** What declares an application's globals, and so which of the consumers' sources can be compiled. */
const PLATFORMS = {
  none: { name: 'no platform types', lib: ['es2022'], types: [], sources: ['types'] },
  dom: { name: 'DOM', lib: ['es2022', 'dom'], types: [], sources: ['types', 'types-fetch'] },
  node: { name: '@types/node', lib: ['es2022'], types: ['node'], sources: ['types', 'types-fetch', 'types-node'] },
  both: {
    name: 'DOM and @types/node',
    lib: ['es2022', 'dom'],
    types: ['node'],
    sources: ['types', 'types-fetch', 'types-node'],
  },
  worker: { name: 'WebWorker', lib: ['es2022', 'webworker'], types: [], sources: ['types-fetch', 'types-worker'] },
};

/** How applications resolve modules, and in which files: `nodenext` reads the ESM and the CJS declarations. */
const NODENEXT = {
  name: 'nodenext',
  extensions: ['mts', 'cts'],
  options: { module: 'nodenext', moduleResolution: 'nodenext' },
  platforms: [PLATFORMS.none, PLATFORMS.node],
};
const MODES = [
  NODENEXT,
  {
    name: 'bundler',
    extensions: ['ts'],
    options: { module: 'esnext', moduleResolution: 'bundler' },
    platforms: [PLATFORMS.none, PLATFORMS.dom, PLATFORMS.node, PLATFORMS.both],
  },
  ...['workerd', 'edge-light'].map((condition) => ({
    name: `bundler, ${condition}`,
    extensions: ['ts'],
    options: { module: 'esnext', moduleResolution: 'bundler', customConditions: [condition] },
    platforms: [PLATFORMS.worker],
  })),
  {
    name: 'node16',
    extensions: ['mts', 'cts'],
    options: { module: 'node16', moduleResolution: 'node16' },
    platforms: [PLATFORMS.node],
  },
  {
    // Gone in TypeScript 6; before, an application that has never changed its configuration still resolves so.
    name: 'node10',
    extensions: ['ts'],
    options: { module: 'commonjs', moduleResolution: 'node10' },
    platforms: [PLATFORMS.node],
    until: '5.9',
  },
];

/** A strict application compiles under every supported compiler, whatever declares its globals. */
export function checkTypes({ project, projectWithNodeTypes, compilers }) {
  createProject(
    compilers,
    COMPILERS.map((version) => `ts-${version}@npm:typescript@${version}`),
  );
  for (const version of COMPILERS) {
    const tsc = join(compilers, `node_modules/ts-${version}/bin/tsc`);
    for (const mode of MODES.filter(({ until = version }) => Number(version) <= Number(until))) {
      for (const platform of mode.platforms) {
        const cwd = platform.types.length === 0 ? project : projectWithNodeTypes;
        compile({ tsc, version, mode, platform, cwd });
      }
    }
  }
}

/** Compiles sources of the consumers in a project. */
export function compile({ tsc, version, mode = NODENEXT, platform, cwd }) {
  const name = `TypeScript ${version}, ${mode.name}, ${platform.name}`;
  const folder = name.replaceAll(/[^\w.]+/g, '-');
  mkdirSync(join(cwd, folder));
  for (const source of platform.sources) {
    for (const extension of mode.extensions) {
      copyFileSync(join(cwd, 'types', `${source}.ts`), join(cwd, folder, `${source}.${extension}`));
    }
  }
  const kind = Number(version) < Number(OLDEST_FOR_LIBRARIES) ? APPLICATION : LIBRARY;
  const { lib, types, skipLibCheck = false } = platform;
  const compilerOptions = { ...STRICT, ...kind, ...mode.options, lib, types, skipLibCheck };
  writeFileSync(
    join(cwd, folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*'], exclude: ['declarations'] }),
  );
  check(name, process.execPath, [tsc, '-p', folder], { cwd });
}
