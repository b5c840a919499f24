import { join, resolve } from 'node:path';
import { asWeUseIt, check, createProject } from './project.mjs';
import { checkQuiet } from './quiet-import.mjs';
import { compile } from './types.mjs';

const API = '@opentelemetry/api';
const EXPORTERS = ['exporter-trace-otlp-http', 'exporter-metrics-otlp-http'].map((name) => `@opentelemetry/${name}`);
const SDK = ['context-async-hooks', 'sdk-metrics'].map((name) => `@opentelemetry/${name}`);

/** The newest SDK needs Node 22.15. */
const NODE = '24';
const NEWEST = [API, ...SDK.map((name) => `${name}@3`), '@opentelemetry/sdk-trace@3', ...EXPORTERS];

const PLATFORM = {
  name: 'OpenTelemetry',
  lib: ['es2022', 'dom'],
  types: [],
  skipLibCheck: true,
  sources: ['types-opentelemetry'],
};

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
  const tsc = resolve('node_modules/typescript/bin/tsc');
  compile({ tsc, version: 'in use', platform: PLATFORM, cwd: project });

  const node = `node-${NODE}@npm:node-linux-${process.arch}@${NODE}`;
  const newest = createProject(join(directory, 'newest'), [tarball, node, ...NEWEST]);
  const program = join(newest, `node_modules/node-${NODE}/bin/node`);
  check(`OpenTelemetry SDK 3, Node ${NODE}`, program, ['opentelemetry.mjs'], { cwd: newest });
}
