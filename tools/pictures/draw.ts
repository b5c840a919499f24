// `npm run docs:pictures`: draws the pictures of the documents. It needs Chromium, the font DejaVu
// Sans, and npm's registry for Mermaid.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../chromium.js';
import { COLOURS, FONT, MERMAID, PICTURES, type Picture, SETTINGS, sourceOf } from './pictures.js';

/** What `in-page.js` returns. */
interface Drawing {
  readonly title: string;
  readonly description: string;
  readonly css: string;
  readonly box: readonly [left: number, top: number, width: number, height: number];
  readonly content: string;
}

/** Free space around a picture, in pixels. */
const MARGIN = 12;

/** Returns the path of Mermaid's file for browsers, which has all that it needs. */
function fetchMermaid(): string {
  const folder = fileURLToPath(new URL(`../../node_modules/.cache/mermaid-${MERMAID}`, import.meta.url));
  const file = `${folder}/package/dist/mermaid.min.js`;
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const options = { cwd: folder };
  execFileSync('npm', ['pack', `mermaid@${MERMAID}`, '--silent'], options);
  execFileSync('tar', ['-xzf', `mermaid-${MERMAID}.tgz`, 'package/dist/mermaid.min.js'], options);
  return file;
}

const variables = (theme: 0 | 1): string =>
  Object.entries(COLOURS)
    .map(([name, values]) => `--${name}:${values[theme]}`)
    .join(';');

/** Writes colours as variables. Throws for one without a name: it would be the same in the dark. */
function withVariables(css: string): string {
  const names = new Map(Object.entries(COLOURS).map(([name, [light]]) => [rgbOf(light), name]));
  return css.replaceAll(/rgba?\([^)]*\)/g, (value) => {
    const name = names.get(value);
    if (name === undefined) throw new Error(`a colour that is not in COLOURS: ${value} in\n${css}`);
    return `var(--${name})`;
  });
}

const rgbOf = (hex: string): string =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function svgOf(picture: Picture, { title, description, css, box, content }: Drawing): string {
  const [x, y, w, h] = [box[0] - MARGIN, box[1] - MARGIN, box[2] + 2 * MARGIN, box[3] + 2 * MARGIN];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${w} ${h}" width="${w}" height="${h}" role="img" aria-labelledby="title description" data-source="${sourceOf(picture)}">
<title id="title">${escaped(title)}</title>
<desc id="description">${escaped(description)}</desc>
<style>
svg{font:${SETTINGS.fontSize}px ${FONT};${variables(0)}}
@media (prefers-color-scheme:dark){svg{${variables(1)}}}
.paper{fill:var(--paper)}
${withVariables(css)}
</style>
<rect class="paper" x="${x}" y="${y}" width="${w}" height="${h}" rx="8"/>
${content.replaceAll(/(?!^)<(?=g|rect|path|line|circle|polygon|text|defs|marker)/g, '\n<')}
</svg>
`;
}

const browser = await launchChromium();
const page = await browser.newPage({ colorScheme: 'light' });
await page.setContent('<!doctype html><body></body>');
await page.addScriptTag({ path: fetchMermaid() });
await page.addScriptTag({ path: fileURLToPath(new URL('in-page.js', import.meta.url)) });
for (const picture of PICTURES) {
  const drawing: Drawing = await page.evaluate(
    `drawPicture(${JSON.stringify(SETTINGS)}, ${JSON.stringify(picture.text)})`,
  );
  writeFileSync(picture.file, svgOf(picture, drawing));
}
await browser.close();
