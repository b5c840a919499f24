import { PAGE_PATH, QUOTE_PATH, WRITE_PATH } from '../measured/requests.js';
import { PAGE, QUOTE_CREATED, QUOTE_READ } from './resources.js';

/** Every answer is made before the first request comes. */
const ANSWERS: ReadonlyMap<string, Buffer> = new Map([
  [`GET ${QUOTE_PATH}`, ok(QUOTE_READ)],
  [`GET ${PAGE_PATH}`, ok(PAGE)],
  [`POST ${WRITE_PATH}`, ok(QUOTE_CREATED)],
]);

const NOT_FOUND = wire('404 Not Found', { error: { code: 'not_found', message: 'the bench has no such answer' } });

/** The whole answer, as bytes, to a request with this head. */
export function answerTo(head: string): Buffer {
  return ANSWERS.get(routeOf(head)) ?? NOT_FOUND;
}

/** Method and path, without the query. */
function routeOf(head: string): string {
  const targetEnd = head.indexOf(' ', head.indexOf(' ') + 1);
  const query = head.indexOf('?');
  return head.slice(0, query >= 0 && query < targetEnd ? query : targetEnd);
}

function ok(body: unknown): Buffer {
  return wire('200 OK', body);
}

function wire(status: string, body: unknown): Buffer {
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Date: Sat, 31 Jan 2026 12:00:00 GMT',
    'X-Request-Id: 0123456789abcdef',
    'Connection: keep-alive',
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`);
}
