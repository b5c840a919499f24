import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { median } from '../lanes/figures.js';
import { ROOT } from '../project.js';

/** The time of the compiler over the time for an empty file. */
export interface CompileFigures {
  readonly version: string;
  /** Seconds for the empty file. */
  readonly empty: number;
  readonly zodAlone: number;
  readonly everyResource: number;
}

const FILES = ['empty', 'zod-alone', 'every-resource'] as const;
type File = (typeof FILES)[number];

/** Compiles files of this folder in a project with partner-sdk installed, in turns. */
export function measureCompile(project: string, times: number): CompileFigures {
  for (const file of FILES) addConfiguration(project, file);
  const seconds: Record<File, number[]> = { empty: [], 'zod-alone': [], 'every-resource': [] };
  for (let time = 0; time < times; time++) {
    for (const file of FILES) seconds[file].push(compile(project, file));
  }
  const ratio = (file: File) => median(seconds[file].map((value, time) => value / (seconds.empty[time] ?? Number.NaN)));
  return {
    version: ts.version,
    empty: median(seconds.empty),
    zodAlone: ratio('zod-alone'),
    everyResource: ratio('every-resource'),
  };
}

function addConfiguration(project: string, file: File): void {
  cpSync(join(import.meta.dirname, `${file}.ts`), join(project, `${file}.ts`));
  const compilerOptions = {
    target: 'ES2022',
    module: 'NodeNext',
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  const configuration = { compilerOptions, files: [`${file}.ts`] };
  writeFileSync(join(project, `tsconfig.${file}.json`), JSON.stringify(configuration));
}

function compile(project: string, file: File): number {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const began = performance.now();
  const { status, stdout } = spawnSync(process.execPath, [compiler, '--project', `tsconfig.${file}.json`], {
    cwd: project,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${file}.ts does not compile:\n${stdout}`);
  return (performance.now() - began) / 1000;
}
