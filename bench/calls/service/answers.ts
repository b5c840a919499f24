import { GAPS_PATH, HOOK, PAGE_PATH, QUOTE_PATH, WRITE_PATH } from '../measured/requests.js';
import { DYNAMODB, KRAKEN, POLAR } from './peer-resources.js';
import { PAGE, PAGE_WITH_GAPS, QUOTE_CREATED, QUOTE_READ } from './resources.js';

/** Every answer is made before the first request comes. */
const ANSWERS: ReadonlyMap<string, Buffer> = new Map([
  [`GET ${QUOTE_PATH}`, ok(QUOTE_READ)],
  [`GET ${PAGE_PATH}`, ok(PAGE)],
  [`GET ${GAPS_PATH}`, ok(PAGE_WITH_GAPS)],
  [`POST ${WRITE_PATH}`, ok(QUOTE_CREATED)],
  ['POST /0/private/QueryLedgers', ok(KRAKEN.quote)],
  ['POST /0/private/Ledgers', ok(KRAKEN.page)],
  ['POST /0/private/AddOrder', ok(KRAKEN.write)],
  ['POST / DynamoDB_20120810.GetItem', ok(DYNAMODB.quote)],
  ['POST / DynamoDB_20120810.Query', ok(DYNAMODB.page)],
  ['POST / DynamoDB_20120810.PutItem', ok(DYNAMODB.write)],
  [`GET /v1/webhooks/endpoints/${HOOK}`, ok(POLAR.quote)],
  ['GET /v1/webhooks/endpoints', ok(POLAR.page)],
  ['POST /v1/webhooks/endpoints', wire('201 Created', POLAR.write)],
]);

const NOT_FOUND = wire('404 Not Found', { error: { code: 'not_found', message: 'the bench has no such answer' } });

/** The whole answer, as bytes, to a request with this head. */
export function answerTo(head: string): Buffer {
  return ANSWERS.get(routeOf(head)) ?? NOT_FOUND;
}

/** Method and path, without the query; then the operation where it is named by a header. */
function routeOf(head: string): string {
  const targetEnd = head.indexOf(' ', head.indexOf(' ') + 1);
  const query = head.indexOf('?');
  const route = head.slice(0, query >= 0 && query < targetEnd ? query : targetEnd);
  return route === 'POST /' ? `${route} ${/\r\nx-amz-target: *(\S+)/i.exec(head)?.[1]}` : route;
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
