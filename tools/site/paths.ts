/** Folders of the site. All that is made lies in a folder that git ignores. */
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
const MADE = join(ROOT, '.cache/docs');
/** The pages as Markdown: what VitePress reads. */
export const PAGES = join(MADE, 'pages');
/** The site: any static server serves it. */
export const SITE = join(MADE, 'site');
/** The icon that browsers show beside the title, below the site. */
export const ICON = 'favicon.svg';
export const CACHE = join(MADE, 'vitepress');
/** The sidebars, in a file that VitePress' configuration reads. */
export const SIDEBARS = join(MADE, 'sidebars.json');
