import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { installApart } from './project.js';

/** A Node in which something is measured. */
export interface Node {
  readonly version: string;
  readonly command: string;
}

/** What the option `--node` is when it is not given. */
export const NODES = '20,24,26';

/** @param majors Separated by commas. The Node in use is one of them, or npm has it. */
export function nodesOf(majors: string): Node[] {
  const all = majors.split(',');
  const absent = all.filter((major) => !isInUse(major));
  const directory =
    absent.length === 0 ? '' : installApart(absent.map((major) => `node-${major}@npm:${packageOf(major)}`));
  return all.map((major) => {
    const command = isInUse(major) ? process.execPath : join(directory, `node_modules/node-${major}/bin/node`);
    return { version: execFileSync(command, ['--version'], { encoding: 'utf8' }).trim().slice(1), command };
  });
}

const isInUse = (major: string) => process.versions.node.startsWith(`${major}.`);

const packageOf = (major: string) => `node-${process.platform}-${process.arch}@${major}`;
