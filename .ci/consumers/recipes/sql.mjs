import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asWeUseIt, check, createProject } from '../project.mjs';
import { withPostgres } from './postgres.mjs';

const STRICT = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
const TARGET = ['--module', 'nodenext', '--target', 'es2022', '--types', 'node', '--outDir', 'dist'];
const TSC = ['--no-install', 'tsc', ...STRICT, ...TARGET];

/** The recipes of docs/webhooks/webhooks-sql.md, as they are shipped, over both databases. `nodes`: name and program of each. */
export async function checkSql({ tarball, directory, nodes }) {
  const compiler = [asWeUseIt('typescript'), '@types/node@24', '@types/pg', '@types/better-sqlite3'];
  const project = createProject(directory, [tarball, 'pg', ...compiler]);
  const cwd = join(project, 'sql');
  cpSync(join(project, 'node_modules/partner-sdk/examples/sql'), cwd, { recursive: true });
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  check('tsc of the SQL recipes', 'npx', [...TSC, 'use.ts'], { cwd });

  for (const [index, code] of programsOf(project).entries()) {
    writeFileSync(join(cwd, `main-${index}.ts`), code);
    check(`program ${index + 1} of docs/webhooks/webhooks-sql.md`, 'npx', [...TSC, `main-${index}.ts`], { cwd });
  }

  await withPostgres((folder) => {
    check('exactly once with PostgreSQL', process.execPath, ['main.mjs', 'postgres', folder], { cwd });
  });
  const [name, program] = nodes.find(([title]) => title === 'Node 24') ?? [];
  assert.ok(program, 'Node 24 is not installed');
  check(`exactly once with SQLite of ${name}`, program, ['main.mjs', 'sqlite', join(cwd, 'books.db')], { cwd });
  checkPayouts({ project, cwd, program });
}

/** The program of docs/money/payouts-by-webhook.md, with and without what a reader pastes below it. */
function checkPayouts({ project, cwd, program }) {
  const text = readFileSync(join(project, 'node_modules/partner-sdk/docs/money/payouts-by-webhook.md'), 'utf8');
  const [main, ...pasted] = Array.from(text.matchAll(/^```ts\n(.*?)^```/gms), ([, code]) => code);
  const src = join(cwd, 'src');
  for (const recipe of ['sql', 'payouts']) {
    cpSync(join(project, 'node_modules/partner-sdk/examples', recipe), join(src, recipe), { recursive: true });
  }
  // The test doesn't wait as long between two passes, and uses the SQLite of Node, which needs no build.
  const shipped = "import Database from 'better-sqlite3'";
  const run = main.replace(shipped, "import { DatabaseSync as Database } from 'node:sqlite'");
  writeFileSync(join(src, 'main.ts'), run.replace('repeat(5_000,', 'repeat(200,'));
  writeFileSync(join(src, 'pasted.ts'), [main, ...pasted].join('\n'));
  check('tsc of payouts by webhook', 'npx', [...TSC, 'src/main.ts', 'src/pasted.ts'], { cwd });
  check('payouts by webhook, paid once each', program, ['payouts.mjs', join(cwd, 'dist/main.js'), cwd], { cwd });
}

/** The programs of the document: a whole one for each database, and what a reader pastes below the first. */
function programsOf(project) {
  const text = readFileSync(join(project, 'node_modules/partner-sdk/docs/webhooks/webhooks-sql.md'), 'utf8');
  const [first, ...others] = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code);
  assert.equal(others.length, 4);
  return [first, ...others.map((code) => (code.startsWith('// src/main.ts\n') ? code : `${first}\n${code}`))];
}
