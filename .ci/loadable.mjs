import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lets the CommonJS files of a build load in a process with members on `Object.prototype`. */
export function makeLoadable(directory) {
  for (const name of readdirSync(directory).filter((name) => name.endsWith('.cjs'))) {
    const path = join(directory, name);
    const text = readFileSync(path, 'utf8');
    // The bundler puts it behind the files that entries share.
    const first = text.includes("require('./supported-node.cjs')") ? "require('./supported-node.cjs');" : '';
    writeFileSync(path, loadableWhenPolluted(text, first));
  }
}

/**
 * The helpers of bundlers list a namespace by `for…in`, and describe its members by objects that inherit, as zod does.
 * With this, a new client can say which members it refuses.
 */
function loadableWhenPolluted(text, first) {
  const define = 'const __define=(o,k,d)=>Object.defineProperty(o,k,{__proto__:null,...d});';
  const [directive] = /^(['"])use strict\1;?\n?/.exec(text) ?? [''];
  const code = text
    .slice(directive.length)
    .replaceAll(/\bObject\.\s*defineProperty\b/g, '__define')
    .replaceAll(/\bfor ?\(var (\w+) in (\w+)\)(?=\s*\w+\(\w+, ?\1, ?\{\s*get:)/g, 'for(var $1 of Object.keys($2))');
  return directive + first + (code.includes('__define') ? define : '') + code;
}
