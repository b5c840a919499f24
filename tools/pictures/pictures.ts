/** The texts of the documents' pictures, and how they look. `npm run docs:pictures` draws them. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { withSandbox } from './states.js';

/** The version of Mermaid. `draw.ts` fetches it, so that it is no dependency of the package. */
export const MERMAID = '12.3.0';

/** The colours of the pictures in a light and in a dark environment. */
export const COLOURS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  paper: ['#ffffff', '#0f141a'],
  ink: ['#1d232a', '#e3e9f0'],
  line: ['#5b6773', '#93a1b0'],
  box: ['#e9f1fb', '#1c2a3c'],
  'box-line': ['#4576b0', '#6da3e0'],
  note: ['#fdf4d6', '#352c10'],
  'note-line': ['#a9861c', '#cfae4a'],
  good: ['#e2f4e6', '#15301d'],
  'good-line': ['#2f7d46', '#5cb877'],
  bad: ['#fce8e6', '#3c1b18'],
  'bad-line': ['#b2382c', '#ee8c80'],
};

const colour = (name: string): string => COLOURS[name]?.[0] ?? '';

/** The first two are wider than others, so a text that fits in them fits in any font. */
export const FONT = "Verdana, 'DejaVu Sans', sans-serif";

const shapes = (name: string): string =>
  ['rect', 'path', 'circle', 'polygon'].map((shape) => `.${name} ${shape}`).join(', ');

const painted = (selector: string, fill: string, stroke: string): string =>
  `${selector} { fill: ${fill} !important; stroke: ${stroke} !important }`;

/** Mermaid's settings. A node of the class `good`, `bad` or `note` has the colours of that name. */
export const SETTINGS = {
  startOnLoad: false,
  theme: 'base',
  look: 'classic',
  layout: 'dagre',
  htmlLabels: false,
  deterministicIds: true,
  fontFamily: FONT,
  fontSize: 15,
  flowchart: { htmlLabels: false, nodeSpacing: 24, rankSpacing: 34, wrappingWidth: 400, minNodeWidth: 70, padding: 10 },
  sequence: { mirrorActors: false, height: 40, noteMargin: 8, messageMargin: 24, boxMargin: 8, diagramMarginX: 8 },
  themeVariables: {
    fontSize: '15px',
    background: colour('paper'),
    edgeLabelBackground: colour('paper'),
    primaryColor: colour('box'),
    primaryBorderColor: colour('box-line'),
    primaryTextColor: colour('ink'),
    lineColor: colour('line'),
    actorLineColor: colour('line'),
    noteBkgColor: colour('note'),
    noteBorderColor: colour('note-line'),
    noteTextColor: colour('ink'),
  },
  themeCSS: [
    painted('marker path', colour('line'), colour('line')),
    `.messageText { paint-order: stroke; stroke: ${colour('paper')} !important; stroke-width: 6px }`,
    painted('[id$=crosshead] path', 'none', colour('bad-line')),
    ...['good', 'bad', 'note'].map((name) => painted(shapes(name), colour(name), colour(`${name}-line`))),
  ].join('\n'),
};

export interface Picture {
  /** For example `docs/money/lost-response.svg`. */
  readonly file: string;
  /** Its text for Mermaid. */
  readonly text: string;
}

const TEXTS = new URL('texts/', import.meta.url);

export const PICTURES: readonly Picture[] = readdirSync(TEXTS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.mmd'))
  .sort()
  .map((name) => {
    const file = `docs/${name.replace(/mmd$/, 'svg')}`;
    return { file, text: withSandbox(file, readFileSync(new URL(name, TEXTS), 'utf8')) };
  });

/** The hash of what a picture is drawn from. The picture has it in `data-source`. */
export const sourceOf = ({ text }: Picture): string =>
  createHash('sha256')
    .update(JSON.stringify([MERMAID, COLOURS, SETTINGS, text]))
    .digest('hex')
    .slice(0, 16);
