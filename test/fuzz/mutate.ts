import type { Random } from '../../src/sandbox/core/basics/random.js';

/** Pieces at which readers of HTTP and JSON differ. */
const PIECES = [
  '\r\n',
  '\n',
  '\r',
  '\r\n\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  ',',
  ';',
  '0\r\n\r\n',
  'HTTP/1.1 200 OK\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'Content-Length: 0\r\n',
  'Content-Length: 48\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: identity\r\n',
  'Connection: close\r\n',
  'Connection: keep-alive\r\n',
  'Content-Encoding: gzip\r\n',
  '{"data":',
  '"id":',
  '"__proto__":{},',
  '[[[[[[',
  '\\u0000',
  '\xff',
  '1e309',
  '18446744073709551616',
  '-1',
] as const;

const MUTATIONS_MAX = 3;

/** Bytes that come of one answer, or of two, by a few changes. */
export function mutated(random: Random, one: Buffer, other: Buffer): Buffer {
  let bytes = one;
  for (let left = random.integer(1, MUTATIONS_MAX); left > 0; left -= 1)
    bytes = random.pick(CHANGES)(random, bytes, other);
  return bytes;
}

type Change = (random: Random, bytes: Buffer, other: Buffer) => Buffer;

const CHANGES: readonly [Change, ...Change[]] = [
  // One byte becomes another one.
  (random, bytes) => replaced(bytes, placeIn(random, bytes), 1, Buffer.from([random.integer(0, 255)])),
  // One bit changes.
  (random, bytes) => {
    const at = placeIn(random, bytes);
    return replaced(bytes, at, 1, Buffer.from([(bytes[at] ?? 0) ^ (1 << random.integer(0, 7))]));
  },
  (random, bytes) => replaced(bytes, placeIn(random, bytes), 0, Buffer.from(random.pick(PIECES), 'latin1')),
  (random, bytes) => replaced(bytes, placeIn(random, bytes), random.integer(1, 12), Buffer.alloc(0)),
  (random, bytes) => bytes.subarray(0, placeIn(random, bytes)),
  // A part stands twice.
  (random, bytes) => {
    const from = placeIn(random, bytes);
    return replaced(bytes, from, 0, bytes.subarray(from, from + random.integer(1, 80)));
  },
  // A digit becomes another one: lengths, sizes, states.
  (random, bytes) => {
    const digits = [...bytes.keys()].filter((at) => (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39);
    if (digits.length === 0) return bytes;
    return replaced(
      bytes,
      digits[random.integer(0, digits.length - 1)] ?? 0,
      1,
      Buffer.from(String(random.integer(0, 9))),
    );
  },
  // The beginning of one, the end of another.
  (random, bytes, other) =>
    Buffer.concat([bytes.subarray(0, placeIn(random, bytes)), other.subarray(placeIn(random, other))]),
];

function placeIn(random: Random, bytes: Buffer): number {
  return random.integer(0, Math.max(0, bytes.length - 1));
}

function replaced(bytes: Buffer, at: number, count: number, by: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), by, bytes.subarray(at + count)]);
}
