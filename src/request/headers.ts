import { copyMembers } from '../util/members.js';
import { isRecord, type Rule } from '../util/options.js';

/** Headers that the SDK writes itself, or that belong to the connection. */
const RESERVED = new Set([
  'api-key',
  'api-sign',
  'api-nonce',
  'api-otp',
  'idempotency-key',
  'accept',
  'accept-encoding',
  'content-encoding',
  'te',
  'trailer',
  'content-type',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'host',
]);

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Extra headers of a client or a call. No value is in the message. */
export const HEADERS_RULE: Rule = {
  copy: (headers) => (isRecord(headers) ? copyMembers(headers) : headers),
  wrong: badHeaders,
};

function badHeaders(headers: unknown): string | undefined {
  if (!isRecord(headers)) return 'must be an object of names and values';
  for (const [name, value] of Object.entries(headers)) {
    if (RESERVED.has(name.toLowerCase())) return `must not have ${name}: the SDK writes it`;
    if (!NAME.test(name)) return `has a name that is no header name: ${JSON.stringify(name)}`;
    if (value !== undefined && (typeof value !== 'string' || !VALUE.test(value)))
      return `has a wrong value for ${name}`;
  }
  return undefined;
}

/** The headers that have a value, names in lower case, so that later ones replace earlier ones however they are written. */
export function lowerCaseNames(headers: Readonly<Record<string, string | undefined>> = {}): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) given[name.toLowerCase()] = value;
  return given;
}
