/** The vectors of docs/reference/protocol.md, computed here step by step and not by the package. */
import { createHash, createHmac } from 'node:crypto';
import { makePayloads } from '../examples/payloads.js';
import { tableOf } from '../markdown.js';

const SECRET = 'kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg==';

/** The newest request of a key has the highest nonce: these are of one key, in this order. */
export const REQUESTS = [
  { title: 'Without a body', path: '/v1/assets?type=crypto&page_size=20', nonce: '1700000000000000000', body: '' },
  {
    title: 'With a body',
    path: '/v1/accounts/AA3ND9X-QN6TC-CYEUVD/funds/withdrawals/addresses/Z%C3%BCrich',
    nonce: '1700000000000000001',
    body: '{"new_key":"Zürich, kühl"}',
  },
] as const;

const WEBHOOK = {
  id: 'evt_a81659aa-4e79-46f1-864e-60986a458538',
  secret: 'dGVzdC1zZWNyZXQtcGxlYXNlLWlnbm9yZQ==',
  time: '1734567890',
  body: '{"event_type":"webhook.test","message":"This is a test webhook event to verify your endpoint configuration."}',
} as const;

const code = (text: string): string => (text === '' ? 'none' : `\`${text}\``);
const rows = (table: readonly (readonly [name: string, value: string])[]): string => tableOf(['value', 'is'], table);

export function requestVectors(): string {
  return REQUESTS.map(({ title, path, nonce, body }) => {
    const key = Buffer.from(SECRET, 'base64');
    const inner = createHash('sha256')
      .update(nonce + body)
      .digest();
    const message = Buffer.concat([Buffer.from(path), inner]);
    const hmac = createHmac('sha512', key).update(message).digest();
    const table = rows([
      ['secret', code(SECRET)],
      [`key, ${key.length} bytes, in hex`, code(key.toString('hex'))],
      ['path', code(path)],
      ['nonce', code(nonce)],
      ['body', code(body)],
      ['body in UTF-8, in hex', code(Buffer.from(body).toString('hex'))],
      ['inner, in hex', code(inner.toString('hex'))],
      [`path ‖ inner, ${message.length} bytes, in hex`, code(message.toString('hex'))],
      ['HMAC-SHA512, in hex', code(hmac.toString('hex'))],
      ['`API-Sign`', code(hmac.toString('base64'))],
    ]);
    return `${title}:\n\n${table}`;
  }).join('\n\n');
}

export function webhookVectors(): string {
  const { id, secret, time, body } = WEBHOOK;
  const key = Buffer.from(secret, 'base64');
  const hmac = (signed: string, by: Buffer | string) => createHmac('sha256', by).update(signed).digest();
  const v1 = hmac(`${time}.${body}`, key).toString('hex');
  const standard = hmac(`${id}.${time}.${body}`, key).toString('base64');
  return rows([
    ['secret', code(secret)],
    [`key, ${key.length} bytes, in hex`, code(key.toString('hex'))],
    ['body', code(body)],
    ['t', code(time)],
    ['t ‖ "." ‖ body', code(`${time}.${body}`)],
    ['`X-Signature`', code(`t=${time},v1=${v1}`)],
    ['`X-Signature` of a ramp callback with the same body and secret', code(hmac(body, secret).toString('hex'))],
    ['`webhook-id`', code(id)],
    ['`webhook-signature` of this id and time, the same body and secret', code(`v1,${standard}`)],
  ]);
}

const PAYLOADS = Array.from(await makePayloads(), ([kind, body]) => `\`${kind}\`:\n\n\`\`\`json\n${body}\n\`\`\``);
export const payloads = (): string => PAYLOADS.join('\n\n');
