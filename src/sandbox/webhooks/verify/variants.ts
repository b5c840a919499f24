import { createHmac } from 'node:crypto';
import { bareSecret, type DeliveryScheme } from '../delivery/signature.js';

/** One of several ways to do a step of signing. The correct one has no mistake. */
export interface Variant<T> {
  readonly value: T;
  readonly mistake?: string;
}

/** Returns the keys that a secret can be decoded to. */
export function keysOf(secret: string, scheme: DeliveryScheme): Variant<Uint8Array>[] {
  const text = { value: Buffer.from(secret, 'utf8') };
  const bare = bareSecret(secret, scheme);
  const decoded = { value: Buffer.from(bare, 'base64') };
  const trimmed = secret.trim();
  const others: Variant<Uint8Array>[] = [];
  if (/^([0-9a-f]{2})+$/i.test(trimmed)) {
    others.push({ value: Buffer.from(trimmed, 'hex'), mistake: 'the secret was decoded as hex, not as base64' });
  }
  if (scheme === 'body') {
    if (trimmed !== secret) {
      others.push({ value: Buffer.from(trimmed), mistake: 'the secret has white space around it: trim it' });
    }
    others.push({ ...decoded, mistake: 'the secret was decoded from base64: this scheme takes its text as it is' });
    return [text, ...others];
  }
  const mistake = 'the secret was taken as text: decode it from base64 first';
  others.push({ ...text, mistake });
  if (bare !== secret) {
    others.push({ value: Buffer.from(bare), mistake });
    others.push({ value: Buffer.from(secret, 'base64'), mistake: '"whsec_" was decoded with the secret: remove it' });
  }
  return [decoded, ...others];
}

/** Returns the texts that may have been signed. `id`: the id of the event, if it is known. */
export function textsOf(
  scheme: DeliveryScheme,
  timestamp: string,
  id: string | undefined,
): Variant<(body: string) => string>[] {
  const alone = (body: string): string => body;
  if (scheme === 'body') return [{ value: alone }];
  const timed = (body: string): string => `${timestamp}.${body}`;
  const identified = (body: string): string => `${id}.${timestamp}.${body}`;
  if (scheme === 'standard') {
    const advice = 'sign "<webhook-id>.<webhook-timestamp>.<body>"';
    return [
      { value: identified },
      { value: timed, mistake: `the id was left out: ${advice}` },
      { value: alone, mistake: `the body alone was signed: ${advice}` },
      { value: (body) => `${timestamp}.${id}.${body}`, mistake: `the time was put before the id: ${advice}` },
    ];
  }
  const advice = 'sign "<t>.<body>"';
  return [
    { value: timed },
    { value: alone, mistake: `the body alone was signed: ${advice}` },
    { value: (body) => `${timestamp}${body}`, mistake: `the dot between t and body was left out: ${advice}` },
    { value: (body) => `${body}.${timestamp}`, mistake: `the body was put before the time: ${advice}` },
    { value: (body) => `t=${timestamp}.${body}`, mistake: `"t=" was signed too: ${advice}` },
    {
      value: (body) => `${timestamp}000.${body}`,
      mistake: 'the time was signed in milliseconds: sign t as it is sent',
    },
    ...(id === undefined ? [] : [{ value: identified, mistake: `the id of the event was signed, too: ${advice}` }]),
  ];
}

const RAW = 'verify the raw bytes as they arrived';

/** Returns the bodies of which the given one may be a reformatted copy. */
export function bodiesOf(body: string): Variant<string>[] {
  const found: Variant<string>[] = [{ value: body }];
  const add = (value: string, mistake: string): void => {
    if (!found.some((one) => one.value === value)) found.push({ value, mistake });
  };
  add(body.replace(/\r?\n$/, ''), `the body has a line end that was not signed: ${RAW}`);
  add(`${body}\n`, `the line end of the body is missing: ${RAW}`);
  add(body.replaceAll('\r\n', '\n'), `the line ends of the body were changed: ${RAW}`);
  add(body.replace(/^\uFEFF/, ''), `the body has a byte order mark that was not signed: ${RAW}`);
  const parsed = parse(body);
  if (parsed === undefined) return found;
  const anew = `the body was parsed and written anew: ${RAW}`;
  try {
    for (const write of WRITERS) add(write(parsed.value), anew);
  } catch {
    // The body is nested too deeply to be reformatted.
  }
  return found;
}

const WRITERS: readonly ((value: unknown) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, null, 2),
  (value) => JSON.stringify(value, null, 4),
  (value) => spaced(value),
  (value) => JSON.stringify(sorted(value)),
  (value) => ascii(JSON.stringify(value)),
  (value) => ascii(spaced(value)),
  (value) => JSON.stringify(value).replaceAll('/', '\\/'),
];

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Formats JSON as Python's `json.dumps` does. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`);
  return `{${members.join(', ')}}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

const ascii = (text: string): string =>
  text.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A hash, and its encoding in a signature. */
interface SignatureEncoding {
  readonly hash: string;
  readonly encoding: 'hex' | 'base64';
  readonly mistakes: readonly string[];
}

const HASHES = [
  { hash: 'sha256', bytes: 32, mistakes: [] },
  { hash: 'sha512', bytes: 64, mistakes: ['SHA-512 was used in place of SHA-256'] },
  { hash: 'sha1', bytes: 20, mistakes: ['SHA-1 was used in place of SHA-256'] },
] as const;

/** Returns hash and encoding by length and characters of a signature. Undefined: no known one. */
export function encodingOf(claimed: string, scheme: DeliveryScheme): SignatureEncoding | undefined {
  const isHex = /^[0-9a-f]+$/i.test(claimed);
  const inHex = HASHES.find(({ bytes }) => isHex && claimed.length === 2 * bytes);
  const { length } = Buffer.from(claimed, 'base64');
  const found = inHex ?? HASHES.find(({ bytes }) => bytes === length && /^[\w+/-]+={0,2}$/.test(claimed));
  if (found === undefined) return undefined;
  const [encoding, right] = [inHex === undefined ? 'base64' : 'hex', scheme === 'standard' ? 'base64' : 'hex'] as const;
  const mistake = `the signature is written as ${encoding}: write it as ${right}`;
  return { ...found, encoding, mistakes: encoding === right ? found.mistakes : [...found.mistakes, mistake] };
}

/** True if this key and text produce the signature, with this hash and encoding. */
export function produces(
  key: Uint8Array,
  text: string,
  claimed: string,
  { hash, encoding }: SignatureEncoding,
): boolean {
  const digest = createHmac(hash, key).update(text, 'utf8').digest();
  return digest.equals(Buffer.from(claimed, encoding));
}
