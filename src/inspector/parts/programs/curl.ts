import { quoted } from '../../wire/api.js';
import type { Sendable } from './sendable.js';

/** Writes a script for bash that signs the request by openssl and sends it by curl. */
export function curlCode({ method, path, body, contentType, key, hasOtp }: Sendable, origin: string): string {
  const more = [
    ...(contentType === undefined ? [] : [`-H ${quoted(`Content-Type: ${contentType}`)}`]),
    ...(key === undefined ? [] : [`-H ${quoted(`Idempotency-Key: ${key}`)}`]),
    ...(hasOtp ? ['-H "API-Otp: $PARTNER_OTP"'] : []),
    ...(body === undefined ? [] : ['--data-raw "$body"']),
  ];
  return [
    '# bash, curl and openssl. Set PARTNER_API_KEY and PARTNER_API_SECRET first.',
    ...notesOf(key, hasOtp),
    '(',
    'set -euo pipefail',
    `path=${quoted(path)}`,
    `body=${quoted(body ?? '')}`,
    'nonce=$(date +%s%N | tr -d N) # rises with every request',
    `secret=$(printf %s "$PARTNER_API_SECRET" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')`,
    'sign=$({ printf %s "$path"; printf %s "$nonce$body" | openssl dgst -sha256 -binary; } |',
    '  openssl dgst -sha512 -mac HMAC -macopt "hexkey:$secret" -binary | openssl base64 -A)',
    `curl -sS --globoff --path-as-is -X ${quoted(method)} "\${PARTNER_BASE_URL:-${origin}}$path" \\`,
    `  -H "API-Key: $PARTNER_API_KEY" -H "API-Nonce: $nonce" -H "API-Sign: $sign"${more.length === 0 ? '' : ' \\'}`,
    ...(more.length === 0 ? [] : [`  ${more.join(' ')}`]),
    ')',
    '',
  ].join('\n');
}

/** Returns notes about a copy, as comments of a shell and of Python. */
export function notesOf(key: string | undefined, hasOtp: boolean): string[] {
  return [
    ...(key === undefined
      ? []
      : ['# The same idempotency key gets the first answer again: take a new one for a new effect.']),
    ...(hasOtp ? ['# Set PARTNER_OTP to the one-time password, too.'] : []),
  ];
}
