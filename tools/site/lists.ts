/** Lists of pages for language models, as both `llms.txt` have them. */

/** A page in a list. */
export interface Listed {
  readonly title: string;
  readonly path: string;
  /** Empty if the title says all. */
  readonly summary: string;
}

/** Returns a heading and a line for each page. */
export const sectionOf = (title: string, pages: readonly Listed[]): string =>
  [`## ${title}`, '', ...pages.map(lineOf)].join('\n');

const lineOf = ({ title, path, summary }: Listed): string =>
  `- [${title}](${path})${summary === '' ? '' : `: ${summary}`}`;
