import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from './project.mjs';

/** Nothing listens at the port of this address. */
const OPTIONS = "{ baseUrl: 'http://127.0.0.1:9', apiKey: 'key', apiSecret: 'c2VjcmV0', maxRetries: 0 }";
const LOADED = { commonjs: "require('partner-sdk')", module: "await import('partner-sdk')" };

/** A stack names the sources and their lines, and every map has the sources of the package and no others. */
export function checkSourceMaps({ project }) {
  for (const [type, load] of Object.entries(LOADED)) {
    const program = `
      const main = async () => {
        const { PartnerClient } = ${load};
        await new PartnerClient(${OPTIONS}).users.get('user_id_with_14_chars').catch((error) => console.log(error.stack));
      };
      main();`;
    const args = ['--enable-source-maps', `--input-type=${type}`, '--eval', program];
    const stack = check(`the sources in a stack, ${type}`, process.execPath, args, { cwd: project });
    const [, line] = /partner-sdk\/src\/call\/execute\.ts:(\d+)/.exec(stack) ?? [];
    assert.ok(line !== undefined, stack);
    assert.match(readFileSync('src/call/execute.ts', 'utf8').split('\n')[line - 1], /\bthrow\b/, stack);
  }
  checkMaps(join(project, 'node_modules/partner-sdk/dist'));
}

function checkMaps(directory) {
  const maps = readdirSync(directory).filter((name) => name.endsWith('.map'));
  assert.ok(maps.length > 10);
  for (const name of maps) {
    const { sources, sourcesContent = [] } = JSON.parse(readFileSync(join(directory, name), 'utf8'));
    const foreign = sources.filter((source) => !/^\.\.\/(src\/|package\.json$)/.test(source));
    assert.deepEqual(foreign, [], `${name} has sources of others`);
    for (const [index, source] of sources.entries()) {
      const text = readFileSync(source.replace('../', ''), 'utf8');
      assert.ok(source === '../package.json' || sourcesContent[index] === text, `${name} has another ${source}`);
    }
  }
  console.log(`ok ${maps.length} source maps have the sources of the package`);
}
