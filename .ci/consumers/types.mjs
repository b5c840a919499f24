import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, createProject } from './project.mjs';

const COMPILERS = ['5.4', '5.9', '6'];

const STRICT = {
  target: 'es2022',
  lib: ['es2022'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  skipLibCheck: false,
  noEmit: true,
};

/** How applications resolve modules, and in which files: `nodenext` reads the ESM and the CJS declarations. */
const MODES = [
  { name: 'nodenext', extensions: ['mts', 'cts'], options: { module: 'nodenext', moduleResolution: 'nodenext' } },
  { name: 'bundler', extensions: ['ts'], options: { module: 'esnext', moduleResolution: 'bundler' } },
  // Gone in TypeScript 6; before, an application that has never changed its configuration still resolves so.
  { name: 'node10', extensions: ['ts'], options: { module: 'commonjs', moduleResolution: 'node10' }, until: '5.9' },
];

/** A strict application compiles under every supported compiler, with and without the types of Node. */
export function checkTypes({ project, projectWithNodeTypes, compilers }) {
  createProject(
    compilers,
    COMPILERS.map((version) => `ts-${version}@npm:typescript@${version}`),
  );
  for (const version of COMPILERS) {
    const tsc = join(compilers, `node_modules/ts-${version}/bin/tsc`);
    for (const mode of MODES.filter(({ until = version }) => Number(version) <= Number(until))) {
      compile({ tsc, version, mode, cwd: project, sources: ['types'], types: [] });
      compile({ tsc, version, mode, cwd: projectWithNodeTypes, sources: ['types', 'types-node'], types: ['node'] });
    }
  }
}

function compile({ tsc, version, mode, cwd, sources, types }) {
  const folder = `${mode.name}-${version}`;
  mkdirSync(join(cwd, folder));
  for (const source of sources) {
    for (const extension of mode.extensions) {
      copyFileSync(join(cwd, `${source}.ts`), join(cwd, folder, `${source}.${extension}`));
    }
  }
  const config = { compilerOptions: { ...STRICT, ...mode.options, types }, include: ['*'] };
  writeFileSync(join(cwd, folder, 'tsconfig.json'), JSON.stringify(config));
  const name = `TypeScript ${version}, ${mode.name}, ${types.length === 0 ? 'without' : 'with'} @types/node`;
  check(name, process.execPath, [tsc, '-p', folder], { cwd });
}
