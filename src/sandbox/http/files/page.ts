import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { type ControlAnswer, refused } from '../control/control-messages.js';
import { readPackageFile } from './package-file.js';

/** The page to look into the sandbox. Its sources are in `src/inspector`. */
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
  const body = brotliDecompressSync(readPackageFile('inspector.html.br')).toString('utf8');
  return { body, headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policyOf(body) } };
}

/** The page runs its own script alone, and reaches nothing but the sandbox. */
function policyOf(body: string): string {
  const hash = (tag: string): string => {
    const [, text = ''] = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(body) ?? [];
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  return [
    "default-src 'none'",
    `script-src ${hash('script')}`,
    `style-src ${hash('style')}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
