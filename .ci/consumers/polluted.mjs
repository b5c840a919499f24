import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

const FORMS = { commonjs: "require('partner-sdk')", module: "await import('partner-sdk')" };
const OPTIONS = "{ baseUrl: 'https://api.example.com', apiKey: 'key', apiSecret: 'c2VjcmV0' }";

/** Names on `Object.prototype` before the package is loaded, whether they can be enumerated, and where the process is refused. */
const NAMES = [
  ['whatever', true, 'load'],
  ['skipChecks', true, 'load'],
  ['enumerable', true, 'load'],
  ['skipChecks', false, 'new'],
  ['configurable', false, 'new'],
  ['then', false, 'new'],
  ['toJSON', false, 'new'],
  ['name', false, 'new'],
  ['socketPath', false, 'new'],
  ['get', false, 'load'],
  ['set', false, 'load'],
  ['value', false, 'load'],
  ['writable', false, 'load'],
  ['return', false, 'load'],
];

/** A package that is loaded in a polluted process is refused by an error that names what is there. */
export function checkPolluted({ project }) {
  for (const [type, load] of Object.entries(FORMS)) {
    for (const [name, enumerable, wanted] of NAMES) {
      const program = `
        const { writeSync } = require('node:fs');
        const { assign, create, defineProperty } = Object;
        defineProperty(Object.prototype, '${name}', assign(create(null), { value: true, writable: true, enumerable: ${enumerable} }));
        let step = 'load';
        let told = 'nothing was thrown';
        try {
          const { PartnerClient } = ${load};
          step = 'new';
          new PartnerClient(${OPTIONS});
        } catch (error) {
          told = error.name + ': ' + error.message;
        }
        writeSync(1, step + ' ' + told);`;
      const code =
        type === 'module'
          ? program.replace("const { writeSync } = require('node:fs')", "import { writeSync } from 'node:fs'")
          : program;
      const { stdout, stderr } = spawnSync(process.execPath, [`--input-type=${type}`, '-e', code], {
        cwd: project,
        encoding: 'utf8',
      });
      const text = `${wanted} ConfigurationError: Object.prototype has ${name}: `;
      assert.ok(stdout.startsWith(text), `${type} with ${name} on Object.prototype: ${stdout}${stderr}`);
    }
  }
  console.log(`ok ${NAMES.length} names on Object.prototype before the package is loaded`);
}
