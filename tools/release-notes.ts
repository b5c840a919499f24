/** Prints the release note of the version in package.json: `tsx tools/release-notes.ts`. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { VERSION } from '../src/version.js';

const HEADING = '## ';

const LINK = /\[([^\]]*)\]\(([^)\s]+)\)/g;

/**
 * Returns the section of a version in a change log, without its heading, as it can be read away
 * from the repository: its links lead to the files of the version's tag there. Without a repository
 * they are text. Throws if the log has no such section, an empty one, or several.
 *
 * @param repository As `repository.url` of package.json.
 */
export function releaseNotes(changeLog: string, version: string, repository?: string): string {
  const sections = `\n${changeLog}`.split(`\n${HEADING}`).slice(1);
  const [notes, ...others] = sections
    .filter((section) => section.split('\n', 1)[0]?.trim() === version)
    .map((section) => section.slice(section.indexOf('\n')).trim());
  if (!notes || others.length > 0) throw new Error(`the change log needs one section "${HEADING}${version}" with text`);
  const base = repository === undefined ? undefined : `${pageOf(repository)}/blob/v${version}/CHANGELOG.md`;
  return notes.replace(LINK, (link, text: string, target: string) => {
    if (URL.canParse(target)) return link;
    return base === undefined ? text : `[${text}](${new URL(target, base).href})`;
  });
}

/** Returns the address in a browser: `https://…` for `git+ssh://git@….git`. */
function pageOf(repository: string): string {
  const { host, pathname } = new URL(repository.replace(/^git\+/, ''));
  return `https://${host}${pathname.replace(/\.git$/, '')}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { repository } = JSON.parse(readFileSync('package.json', 'utf8')) as { repository?: { url: string } };
  console.log(releaseNotes(readFileSync('CHANGELOG.md', 'utf8'), VERSION, repository?.url));
}
