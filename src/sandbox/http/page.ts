import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type ControlAnswer, refused } from './control-messages.js';

/** The page to look into the sandbox. Its sources are in `src/inspector`. */
let page: Pick<ControlAnswer, 'body' | 'headers'> | undefined;

/** `GET /_sandbox/` */
export function answerPage(verb: string): ControlAnswer {
  if (verb !== 'GET') return refused(405, 'the page is read with GET');
  try {
    page ??= readPage();
  } catch {
    return refused(404, 'the page is missing: in a clone of the sources, npm run build makes it');
  }
  return { status: 200, ...page };
}

function readPage(): Pick<ControlAnswer, 'body' | 'headers'> {
  const root = createRequire(import.meta.url).resolve('partner-sdk/package.json');
  const body = readFileSync(root.replace(/package\.json$/, 'dist/inspector.html'), 'utf8');
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
