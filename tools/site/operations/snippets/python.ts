/** An example of an operation in Python, with its standard library alone. */
import type { Operation } from '../../../../src/schema/operation.js';
import { type Example, targetOf } from '../../../examples/examples.js';
import { literalOf, type Notation, OTP, piecesOf } from './sources.js';

/** Returns a program that signs the request and sends it. */
export function pythonOf(operation: Operation, example: Example): string {
  const path = piecesOf(targetOf(operation, example)).map((piece) => PYTHON.text(piece));
  const hasBody = example.body !== undefined;
  const isKeyed = operation.retrySafety === 'keyed';
  const lines = [
    `import base64, hashlib, hmac, ${hasBody ? 'json, ' : ''}os, time, urllib.error, urllib.request${isKeyed ? ', uuid' : ''}`,
    '',
    ...(path.length === 1 ? [`path = ${path[0]}`] : ['path = (', ...path.map((piece) => `    ${piece}`), ')']),
    ...(hasBody
      ? ['# These bytes are signed and sent.', `body = json.dumps(${literalOf(PYTHON, example.body)}).encode()`]
      : []),
    'nonce = str(time.time_ns())  # each request needs a greater one',
    'secret = base64.b64decode(os.environ["PARTNER_API_SECRET"])',
    `digest = hashlib.sha256(nonce.encode()${hasBody ? ' + body' : ''}).digest()`,
    'sign = hmac.new(secret, path.encode() + digest, hashlib.sha512).digest()',
    'headers = {',
    '    "API-Key": os.environ["PARTNER_API_KEY"],',
    '    "API-Nonce": nonce,',
    '    "API-Sign": base64.b64encode(sign).decode(),',
    ...(hasBody ? ['    "Content-Type": "application/json",'] : []),
    ...(isKeyed ? ['    "Idempotency-Key": str(uuid.uuid4()),  # a repeat sends the same one'] : []),
    ...(operation.otp === true ? [`    "API-Otp": "${OTP}",`] : []),
    '}',
    'url = os.environ["PARTNER_BASE_URL"] + path',
    `request = urllib.request.Request(url, ${hasBody ? 'body' : 'None'}, headers, method="${operation.method}")`,
    'try:',
    '    with urllib.request.urlopen(request, timeout=30) as answer:',
    '        print(answer.read().decode())',
    'except urllib.error.HTTPError as error:',
    '    raise SystemExit(error.read().decode())',
  ];
  return `${lines.join('\n')}\n`;
}

const PYTHON: Notation = {
  text: (value) => JSON.stringify(value),
  name: (name) => JSON.stringify(name),
  other: (value) => (value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : String(value)),
  indent: '    ',
  space: '',
};
