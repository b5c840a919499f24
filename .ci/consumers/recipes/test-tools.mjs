import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asWeUseIt, check, createProject } from '../project.mjs';

const JEST = 'jest@30';

/** Each recipe of the documents, and the command that runs its files. */
const RECIPES = [
  ['testing-vitest', ['node_modules/vitest/vitest.mjs', 'run', '--root', '.']],
  ['testing-jest', ['node_modules/jest/bin/jest.js', '--ci', '--rootDir', '.']],
  ['testing-node-test', ['--test']],
  ['testing-msw', ['node_modules/vitest/vitest.mjs', 'run', '--root', '.']],
];

/** The recipes of the packed documents, copied into a project, pass with the defaults of their tools. */
export function checkTestTools({ tarball, directory }) {
  const project = createProject(directory, [tarball, JEST, asWeUseIt('vitest'), asWeUseIt('msw')]);
  for (const [name, args] of RECIPES) {
    const folder = join(project, 'recipes', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{}');
    const files = filesIn(readFileSync(join(project, `node_modules/partner-sdk/docs/sandbox/${name}.md`), 'utf8'));
    for (const [file, code] of files) writeFileSync(join(folder, file), code);
    const program = args.map((arg) => (arg.startsWith('node_modules/') ? join(project, arg) : arg));
    const output = check(`docs/sandbox/${name}.md`, process.execPath, program, { cwd: folder });
    if (/\b0 passed|# tests 0\b/.test(output)) throw new Error(`docs/sandbox/${name}.md: no test ran`);
  }
}

/** The blocks that begin with the name of a file. */
export function filesIn(text) {
  const files = [...text.matchAll(/^```js\n\/\/ (\S+)\n(.*?)^```/gms)].map(([, file, code]) => [file, code]);
  if (files.length === 0) throw new Error('a recipe has no files');
  return files;
}
