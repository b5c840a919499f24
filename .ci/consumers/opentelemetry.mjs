import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { check, createProject } from './project.mjs';
import { checkQuiet } from './quiet-import.mjs';
import { asWeUseIt } from './versions.mjs';

const API = '@opentelemetry/api';
const EXPORTERS = ['exporter-trace-otlp-http', 'exporter-metrics-otlp-http'].map((name) => `@opentelemetry/${name}`);
const SDK = ['context-async-hooks', 'sdk-metrics'].map((name) => `@opentelemetry/${name}`);

/** The newest SDK needs Node 22.15. */
const NODE = '24';
const NEWEST = [API, ...SDK.map((name) => `${name}@3`), '@opentelemetry/sdk-trace@3', ...EXPORTERS];

const OPTIONS = { target: 'es2022', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, noEmit: true };

/** Traces and metrics of the installed package, by the SDK that runs on this Node and by the newest. */
export function checkOpentelemetry({ tarball, directory }) {
  const own = [API, '@opentelemetry/sdk-trace-base', ...SDK, ...EXPORTERS].map(asWeUseIt);
  const project = createProject(join(directory, 'major-2'), [tarball, ...own]);
  check(`OpenTelemetry SDK 2, Node ${process.versions.node}`, process.execPath, ['opentelemetry.mjs'], {
    cwd: project,
  });
  checkQuiet({
    name: `Node ${process.versions.node}`,
    node: process.execPath,
    entry: 'partner-sdk/opentelemetry',
    project,
  });
  checkTypes(project);

  const node = `node-${NODE}@npm:node-linux-${process.arch}@${NODE}`;
  const newest = createProject(join(directory, 'newest'), [tarball, node, ...NEWEST]);
  const program = join(newest, `node_modules/node-${NODE}/bin/node`);
  check(`OpenTelemetry SDK 3, Node ${NODE}`, program, ['opentelemetry.mjs'], { cwd: newest });
}

function checkTypes(project) {
  const folder = join(project, 'types-of-telemetry');
  mkdirSync(folder);
  for (const extension of ['mts', 'cts']) {
    copyFileSync(join(project, 'types', 'types-opentelemetry.ts'), join(folder, `types-opentelemetry.${extension}`));
  }
  const compilerOptions = { ...OPTIONS, module: 'nodenext', moduleResolution: 'nodenext', types: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*'] }));
  const tsc = resolve('node_modules/typescript/bin/tsc');
  check('types of partner-sdk/opentelemetry', process.execPath, [tsc, '-p', folder], { cwd: project });
}
