/** Prints the release note of the version in package.json: `tsx tools/release-notes.ts`. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { VERSION } from '../src/version.js';

const HEADING = '## ';

/**
 * Returns the section of a version in a change log, without its heading. Throws if the log has no
 * such section, an empty one, or several.
 */
export function releaseNotes(changeLog: string, version: string): string {
  const sections = `\n${changeLog}`.split(`\n${HEADING}`).slice(1);
  const [notes, ...others] = sections
    .filter((section) => section.split('\n', 1)[0]?.trim() === version)
    .map((section) => section.slice(section.indexOf('\n')).trim());
  if (!notes || others.length > 0) throw new Error(`the change log needs one section "${HEADING}${version}" with text`);
  return notes;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(releaseNotes(readFileSync('CHANGELOG.md', 'utf8'), VERSION));
}
