import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProject } from './project.mjs';

const TOO_OLD = '18';
const PROBLEM = /partner-sdk needs Node 20\.18\.1 or newer, this is Node 18\.\d+\.\d+: install a newer Node/;
const ENTRIES = ['partner-sdk', 'partner-sdk/webhooks', 'partner-sdk/redis', 'partner-sdk/sandbox'];

/** Programs that a too old Node does not run, by file. */
const PROGRAMS = ENTRIES.flatMap((entry) => {
  const name = entry.replace('/', '-');
  return [
    [`${name}.mjs`, `import * as entry from '${entry}';\nconsole.log(entry);\n`],
    [`${name}.cjs`, `console.log(require('${entry}'));\n`],
  ];
});

/**
 * On a Node that is too old every entry, and the command, ends with a sentence that says so, and not with an error of
 * undici.
 */
export function checkOldNode({ project, directory }) {
  createProject(directory, [`node-${TOO_OLD}@npm:node-linux-${process.arch}@${TOO_OLD}`]);
  const node = join(directory, `node_modules/node-${TOO_OLD}/bin/node`);
  for (const [file, text] of PROGRAMS) {
    writeFileSync(join(project, file), text);
    checkRefusal(node, file, project);
  }
  checkRefusal(node, 'node_modules/partner-sdk/dist/partner-sandbox.js', project);
  checkRefusal(node, 'node_modules/partner-sdk/dist/partner-sdk.js', project);
}

function checkRefusal(node, file, cwd) {
  const { status, stdout, stderr } = spawnSync(node, [file], { cwd, encoding: 'utf8' });
  assert.equal(status, 1, `${file} ran on Node ${TOO_OLD}: ${stdout}${stderr}`);
  assert.match(stderr, PROBLEM, `${file} does not say which Node it needs`);
  assert.doesNotMatch(stderr, /ReferenceError|SyntaxError/);
  console.log(`ok Node ${TOO_OLD} is refused: ${file}`);
}
