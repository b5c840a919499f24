// What package.json must say before the first publication, as CONTRIBUTING lists it. Fails if the list and this check
// differ, or if a member is set in a wrong form. Prints what is missing; with `--complete`, that fails, too.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const PAGE = /^https:\/\/[^\s/]+\.[^\s/]+/;
const CONTACT = /@|https:\/\//;

/** Members that the owner sets: the check of each. A text, or an object with the member that counts. */
const OF_THE_OWNER = {
  author: (value) => CONTACT.test(typeof value === 'string' ? value : `${value.email ?? ''}${value.url ?? ''}`),
  repository: (value) => /^git\+https:\/\/\S+\.git$/.test(value.url ?? ''),
  homepage: (value) => PAGE.test(value),
  bugs: (value) => CONTACT.test(typeof value === 'string' ? value : `${value.email ?? ''}${value.url ?? ''}`),
};

const MIN_KEYWORDS = 5;

/** Members that do not depend on the owner. */
const OURS = {
  description: (value) => value.length > 40,
  keywords: (value) => value.length >= MIN_KEYWORDS && new Set(value).size === value.length,
  license: (value) => value === 'MIT',
  engines: (value) => /^>=\d+/.test(value.node),
};

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const [, list = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split(
  'Before the first release, a maintainer does this once:',
);
const listed = Array.from(list.matchAll(/^ {3}- `(\w+)`:/gm), ([, name]) => name);

assert.deepEqual(listed, Object.keys(OF_THE_OWNER), 'CONTRIBUTING lists other members than are checked here');
for (const [name, isRight] of Object.entries({ ...OURS, ...OF_THE_OWNER })) {
  const value = manifest[name];
  if (value === undefined) assert.ok(!(name in OURS), `package.json lacks ${name}`);
  else assert.ok(isRight(value), `package.json has a wrong ${name}: ${JSON.stringify(value)}`);
}

const missing = listed.filter((name) => manifest[name] === undefined);
if (process.argv.includes('--complete')) assert.deepEqual(missing, [], 'package.json lacks what CONTRIBUTING lists');
console.log(
  missing.length === 0 ? 'ready for a publication' : `before the first publication, set ${missing.join(', ')}`,
);
