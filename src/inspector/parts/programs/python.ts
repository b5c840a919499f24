import { notesOf } from './curl.js';
import type { Sendable } from './sendable.js';

/**
 * Writes a program in Python that signs the request and sends it, with the standard library alone.
 */
export function pythonCode({ method, path, body, contentType, key, hasOtp }: Sendable, origin: string): string {
  // A text of JSON is a text of Python, too.
  const text = (value: string): string => JSON.stringify(value);
  const headers = [
    '"API-Key": os.environ["PARTNER_API_KEY"],',
    '"API-Nonce": nonce,',
    '"API-Sign": base64.b64encode(sign).decode(),',
    ...(contentType === undefined ? [] : [`"Content-Type": ${text(contentType)},`]),
    ...(key === undefined ? [] : [`"Idempotency-Key": ${text(key)},`]),
    ...(hasOtp ? ['"API-Otp": os.environ["PARTNER_OTP"],'] : []),
  ];
  return [
    '# Python 3.9 or later, its standard library alone. Set PARTNER_API_KEY and PARTNER_API_SECRET first.',
    ...notesOf(key, hasOtp),
    'import base64, hashlib, hmac, os, time, urllib.error, urllib.request',
    '',
    `base_url = os.environ.get("PARTNER_BASE_URL", ${text(origin)})`,
    `path = ${text(path)}`,
    `body = ${text(body ?? '')}.encode()`,
    'nonce = str(time.time_ns())  # rises with every request',
    'inner = hashlib.sha256(nonce.encode() + body).digest()',
    'secret = base64.b64decode(os.environ["PARTNER_API_SECRET"])',
    'sign = hmac.new(secret, path.encode() + inner, hashlib.sha512).digest()',
    'headers = {',
    ...headers.map((line) => `    ${line}`),
    '}',
    `request = urllib.request.Request(base_url + path, body or None, headers, method=${text(method)})`,
    'try:',
    '    with urllib.request.urlopen(request, timeout=30) as response:',
    '        print(response.status, response.read().decode())',
    'except urllib.error.HTTPError as error:',
    '    print(error.code, error.read().decode())',
    '',
  ].join('\n');
}
