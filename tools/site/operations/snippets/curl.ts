/** An example of an operation with curl. */
import type { Operation } from '../../../../src/schema/operation.js';
import { type Example, targetOf } from '../../../examples/examples.js';
import { COLUMNS, OTP, piecesOf } from './sources.js';

/** Returns a script that signs the request with openssl and sends it with curl. */
export function curlOf(operation: Operation, example: Example): string {
  const hasBody = example.body !== undefined;
  const lines = [
    ...piecesOf(targetOf(operation, example)).map((piece, index) => `path${index === 0 ? '' : '+'}=${quoted(piece)}`),
    ...(hasBody ? [`body=${quoted(jsonOf(example.body))}`] : []),
    'nonce=$(date +%s%N) # each request needs a greater one',
    'secret=$(printf %s "$PARTNER_API_SECRET" | openssl base64 -d -A |',
    "  od -An -v -tx1 | tr -d ' \\n')",
    `digest() { printf %s "$nonce${hasBody ? '$body' : ''}" | openssl dgst -sha256 -binary; }`,
    'sign=$({ printf %s "$path"; digest; } |',
    '  openssl dgst -sha512 -mac HMAC -macopt "hexkey:$secret" -binary | openssl base64 -A)',
    `curl -sS --fail-with-body -X ${operation.method} "$PARTNER_BASE_URL$path"${hasBody ? ' --json "$body"' : ''} \\`,
    ...(operation.retrySafety === 'keyed' ? ['  -H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)" \\'] : []),
    ...(operation.otp === true ? [`  -H 'API-Otp: ${OTP}' \\`] : []),
    '  -H "API-Key: $PARTNER_API_KEY" -H "API-Nonce: $nonce" -H "API-Sign: $sign"',
  ];
  return `${lines.join('\n')}\n`;
}

/** A long body has a line for each member: its spaces are signed, too. */
function jsonOf(body: unknown): string {
  const inline = JSON.stringify(body);
  return inline.length < COLUMNS - "body=''".length ? inline : JSON.stringify(body, null, 2);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
