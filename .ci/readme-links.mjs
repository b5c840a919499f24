// Writes the links of README.md as addresses in the repository, at the tag of the version: a registry shows README
// without the files beside it. The workflow for releases runs it in its own clone, before it packs.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** `[text](target)` and, with a `!` before it, a picture. */
const LINK = /(!?)\[([^\]]*)\]\(([^)\s#][^)\s]*)\)/g;

/** @param repository As `repository.url` of package.json. */
export function withAbsoluteLinks(text, { version, repository }) {
  const { host, pathname } = new URL(repository.url.replace(/^git\+/, ''));
  const page = `https://${host}${pathname.replace(/\.git$/, '')}`;
  return text.replace(LINK, (link, picture, label, target) =>
    URL.canParse(target)
      ? link
      : `${picture}[${label}](${page}/${picture === '' ? 'blob' : 'raw'}/v${version}/${target})`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync('README.md', withAbsoluteLinks(readFileSync('README.md', 'utf8'), manifest));
}
