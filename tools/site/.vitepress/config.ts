/** VitePress' configuration. `DOCS_BASE` is the path that the site is served at; default `/`. */
import { readFileSync } from 'node:fs';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { CACHE, ICON, PAGES, SIDEBARS, SITE } from '../paths.js';
import { SEARCH } from '../search.js';

/** The anchors that GitHub and package pages give to headings: links to them work there, too. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

const BASE = process.env['DOCS_BASE'] ?? '/';

const SEARCH_BUTTON = 'Search (Ctrl K)';

export default defineConfig({
  base: BASE,
  lang: 'en',
  title: 'partner-sdk',
  description: 'The typed TypeScript client for the Partner Trading, Funding and Account API.',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE}${ICON}` }]],
  srcDir: PAGES,
  outDir: SITE,
  cacheDir: CACHE,
  metaChunk: true,
  markdown: {
    // The usual themes are too pale for weak eyes.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: slugOf },
    linkify: false,
    // A `{user_id}` at the end of a text is no attribute of its element.
    attrs: { disable: true },
    config(md) {
      // Braces in a text are no expression of Vue.
      const { text } = md.renderer.rules;
      md.renderer.rules.text = (...all) =>
        (text?.(...all) ?? '').replaceAll('{{', '&#123;&#123;').replaceAll('}}', '&#125;&#125;');
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/', activeMatch: '^/(docs/|$)' },
      { text: 'Operations', link: '/docs/reference/operations.html', activeMatch: '^/operations/' },
      { text: 'Reference', link: '/reference/partner-sdk/', activeMatch: '^/reference/' },
      { text: 'Changes', link: '/CHANGELOG.html' },
    ],
    sidebar: JSON.parse(readFileSync(SIDEBARS, 'utf8')) as DefaultTheme.SidebarMulti,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // The button's name and text must be the same for those who speak to their browser.
        translations: { button: { buttonText: SEARCH_BUTTON, buttonAriaLabel: SEARCH_BUTTON } },
        ...SEARCH,
      },
    },
  },
});
