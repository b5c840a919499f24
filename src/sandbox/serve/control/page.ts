import { createHash } from 'node:crypto';
import { brotliDecompressSync, constants, deflateRawSync } from 'node:zlib';
import { type ControlAnswer, refused } from './control-messages.js';
import { readPackageFile } from './documents.js';

/** The page for inspecting the sandbox. Its sources are in `src/inspector`. */
let page: Pick<ControlAnswer, 'body' | 'headers'> | undefined;

/** `GET /_sandbox/` */
export function answerPage(verb: string): ControlAnswer {
  if (verb !== 'GET') return refused(405, 'the page is read with GET');
  try {
    page ??= readPage();
    return { status: 200, ...page };
  } catch (error) {
    return refused(404, (error as Error).message);
  }
}

function readPage(): Pick<ControlAnswer, 'body' | 'headers'> {
  const whole = brotliDecompressSync(readPackageFile('inspector.html.br')).toString('utf8');
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(whole) ?? [];
  const [element = '', script = ''] = /<script>(.*?)<\/script>/s.exec(whole) ?? [];
  const body = whole.replace(element, () => packed(script));
  return {
    body,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf([UNPACK, script], style),
    },
  };
}

/** Unpacks the script and runs it. The policy allows both by their hashes. */
const UNPACK = `{
const { textContent } = document.getElementById('packed');
const bytes = Uint8Array.from(atob(textContent), (character) => character.charCodeAt(0));
const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
new Response(unpacked).text().then((text) => document.body.append(Object.assign(document.createElement('script'), { text })));
}`;

/**
 * Compresses the script for clients that accept no compressed responses, which halves the page:
 * browsers accept brotli only from secure origins.
 */
function packed(script: string): string {
  const data = deflateRawSync(script, { level: constants.Z_BEST_COMPRESSION }).toString('base64');
  return `<script type="application/octet-stream" id="packed">${data}</script>\n<script>${UNPACK}</script>`;
}

/** The page may run only its own script, and may connect only to the sandbox. */
function policyOf(scripts: readonly string[], style: string): string {
  const hashes = (texts: readonly string[]): string =>
    texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
  return [
    "default-src 'none'",
    `script-src ${hashes(scripts)}`,
    `style-src ${hashes([style])}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
