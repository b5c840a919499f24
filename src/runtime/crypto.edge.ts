import { concat } from './bytes.js';

export const randomUuid = (): string => crypto.randomUUID();

/** Web Crypto has no hash without a promise, and `verifyWebhook` returns none. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const state = Int32Array.from(primes(8), (prime) => fraction(prime ** (1 / 2)));
  const message = padded(concat(parts));
  const words = new Int32Array(64);
  for (let block = 0; block < message.byteLength; block += BLOCK_BYTES) {
    for (let index = 0; index < 16; index++) words[index] = message.getInt32(block + index * 4);
    mix(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => {
    digest.setInt32(index * 4, word);
  });
  return new Uint8Array(digest.buffer);
}

export function hmacSha256(key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key.length > BLOCK_BYTES ? sha256(key) : key);
  const masked = (mask: number) => block.map((byte) => byte ^ mask);
  return sha256(masked(0x5c), sha256(masked(0x36), ...parts));
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  let difference = 0;
  for (let index = 0; index < one.length; index++) difference |= (one[index] as number) ^ (other[index] as number);
  return difference === 0;
}

const BLOCK_BYTES = 64;

/** The message, a one bit, zeros, and the length in bits: FIPS 180-4, 5.1.1. */
function padded(message: Uint8Array): DataView {
  const blocks = Math.ceil((message.length + 9) / BLOCK_BYTES);
  const whole = new Uint8Array(blocks * BLOCK_BYTES);
  whole.set(message);
  whole[message.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setBigUint64(view.byteLength - 8, BigInt(message.length) * 8n);
  return view;
}

/** Puts one block, the first 16 of `words`, into the state: FIPS 180-4, 6.2.2. */
function mix(state: Int32Array, words: Int32Array): void {
  const word = (index: number): number => words[index] as number;
  for (let index = 16; index < 64; index++) {
    const before15 = word(index - 15);
    const before2 = word(index - 2);
    const small0 = turned(before15, 7) ^ turned(before15, 18) ^ (before15 >>> 3);
    const small1 = turned(before2, 17) ^ turned(before2, 19) ^ (before2 >>> 10);
    words[index] = word(index - 16) + small0 + word(index - 7) + small1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as State;
  for (let index = 0; index < 64; index++) {
    const big1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + big1 + ((e & f) ^ (~e & g)) + (ROUNDS[index] as number) + word(index)) | 0;
    const big0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const second = big0 + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    state[index] = (state[index] as number) + value;
  });
}

type State = [number, number, number, number, number, number, number, number];

const turned = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** The first 32 bits of the fraction of a root. */
const fraction = (root: number): number => (root % 1) * 2 ** 32;

const ROUNDS = Int32Array.from(primes(64), (prime) => fraction(prime ** (1 / 3)));

/** Returns the first primes. */
function primes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) {
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  }
  return found;
}
