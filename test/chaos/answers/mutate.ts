import type { Random } from '../../../src/sandbox/core/basics/random.js';

const MUTATIONS_MAX = 3;

type Change = (random: Random, bytes: Buffer, other: Buffer, pieces: readonly string[]) => Buffer;

const CHANGES: readonly [Change, ...Change[]] = [
  // One byte becomes another one.
  (random, bytes) => replaced(bytes, placeIn(random, bytes), 1, Buffer.from([random.integer(0, 255)])),
  // One bit changes.
  (random, bytes) => {
    const at = placeIn(random, bytes);
    return replaced(bytes, at, 1, Buffer.from([(bytes[at] ?? 0) ^ (1 << random.integer(0, 7))]));
  },
  (random, bytes, _other, pieces) =>
    replaced(
      bytes,
      placeIn(random, bytes),
      0,
      Buffer.from(pieces[random.integer(0, pieces.length - 1)] ?? '', 'latin1'),
    ),
  (random, bytes) => replaced(bytes, placeIn(random, bytes), random.integer(1, 12), Buffer.alloc(0)),
  (random, bytes) => bytes.subarray(0, placeIn(random, bytes)),
  // A part stands twice.
  (random, bytes) => {
    const from = placeIn(random, bytes);
    return replaced(bytes, from, 0, bytes.subarray(from, from + random.integer(1, 80)));
  },
  // A digit becomes another one: lengths, sizes, states.
  (random, bytes) => {
    const [first, ...digits] = [...bytes.keys()].filter((at) => (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39);
    if (first === undefined) return bytes;
    return replaced(bytes, random.pick([first, ...digits]), 1, Buffer.from(String(random.integer(0, 9))));
  },
  // The beginning of one, the end of another.
  (random, bytes, other) =>
    Buffer.concat([bytes.subarray(0, placeIn(random, bytes)), other.subarray(placeIn(random, other))]),
];

/** Bytes that come of one answer, or of two, by a few changes. `pieces` are those at which readers of HTTP and JSON differ. */
export function mutated(random: Random, one: Buffer, other: Buffer, pieces: readonly string[]): Buffer {
  let bytes = one;
  for (let left = random.integer(1, MUTATIONS_MAX); left > 0; left -= 1) {
    bytes = random.pick(CHANGES)(random, bytes, other, pieces);
  }
  return bytes;
}

const placeIn = (random: Random, bytes: Buffer): number => random.integer(0, Math.max(0, bytes.length - 1));

const replaced = (bytes: Buffer, at: number, count: number, by: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), by, bytes.subarray(at + count)]);
