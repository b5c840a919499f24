import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** `[text](target)`, and `[text]: target` at the beginning of a line. */
const LINK = /\]\(([^)\s]+)\)|^\[[^\]]+\]:\s*(\S+)/gm;
const FENCED_CODE = /^```.*?^```/gms;

/** Every link of the package's documents leads to a file of the package, and to a heading that is there. */
export function checkLinks(paths) {
  check(
    paths.filter((path) => path.endsWith('.md') || path === 'llms.txt'),
    paths,
    'the package',
  );
}

/** Every link of the maintainers' documents leads to a file of the repository, and to a heading that is there. */
export function checkSourceLinks() {
  const files = execFileSync('git', ['ls-files']).toString().split('\n');
  const folders = new Set(files.map((path) => posix.dirname(path)));
  const maps = ['src', 'src/sandbox', 'src/inspector', 'bench', 'tools'].map((one) => `${one}/README.md`);
  const documents = ['AGENTS.md', 'CONTRIBUTING.md', ...maps];
  check(documents, [...files, ...folders], 'the repository');
}

function check(documents, paths, place) {
  const links = documents.flatMap((path) => relativeLinksOf(path));
  assert.ok(links.length > 0, 'the documents have no links');
  for (const { document, target } of links) checkLink(document, target, paths, place);
  console.log(`${links.length} links of ${documents.length} documents lead to files and headings of ${place}`);
}

function relativeLinksOf(document) {
  return [...textOf(document).matchAll(LINK)]
    .map(([, inline, named]) => ({ document, target: inline ?? named }))
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

function checkLink(document, target, paths, place) {
  const [file, anchor] = target.split('#');
  const path = file === '' ? document : posix.join(posix.dirname(document), file).replace(/\/$/, '');
  assert.ok(paths.includes(path), `${document} links to ${target}, which ${place} does not have`);
  if (anchor !== undefined) {
    assert.ok(anchorsOf(path).includes(anchor), `${document} links to ${target}, where no heading is called so`);
  }
}

/** The anchors that package pages give to the headings of a document. */
function anchorsOf(path) {
  return [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );
}

/** Without code, where brackets are no links and `#` begins a comment. */
function textOf(path) {
  return readFileSync(path, 'utf8').replaceAll(FENCED_CODE, '');
}
