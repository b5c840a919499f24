import { createHash } from 'node:crypto';
import { blake2b } from '@noble/hashes/blake2';
import { keccak_256 } from '@noble/hashes/sha3';
import { type BytesCoder, base32nopad, base58, base58xrp, bech32, bech32m, utils } from '@scure/base';

const digest = (algorithm: string, bytes: Uint8Array): Uint8Array => createHash(algorithm).update(bytes).digest();

export const concat = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

/** Text of a payload followed by its checksum. Decoding throws if the checksum is wrong. */
const withSum = (coder: BytesCoder, size: number, sum: (payload: Uint8Array) => Uint8Array): BytesCoder =>
  utils.chain(utils.checksum(size, sum), coder);

const doubleSha256 = (payload: Uint8Array): Uint8Array => digest('sha256', digest('sha256', payload));

/** Base58check of Bitcoin and coins derived from it, and that of the XRP Ledger. */
export const base58check: BytesCoder = withSum(base58, 4, doubleSha256);
export const base58checkXrp: BytesCoder = withSum(base58xrp, 4, doubleSha256);

export const algorand: BytesCoder = withSum(base32nopad, 4, (key) => digest('sha512-256', key).subarray(-4));
export const stellar: BytesCoder = withSum(base32nopad, 2, crc16);

const SS58_CONTEXT = new TextEncoder().encode('SS58PRE');
export const ss58: BytesCoder = withSum(base58, 2, (payload) => blake2b(concat(SS58_CONTEXT, payload)));

/** Filecoin. The hash covers the protocol, which the text has in front and not inside. */
export const filecoin = (protocol: readonly number[]): BytesCoder =>
  withSum(base32nopad, 4, (payload) => blake2b(concat(protocol, payload), { dkLen: 4 }));

/** CRC-16/XMODEM, low byte first. */
function crc16(payload: Uint8Array): Uint8Array {
  let crc = 0;
  for (const byte of payload) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021) & 0xffff;
  }
  return Uint8Array.of(crc & 0xff, crc >> 8);
}

/** Returns the bytes of bech32 text with one of the prefixes. Throws for any other text. */
export function bech32Bytes(text: string, prefixes: readonly string[]): Uint8Array {
  const { prefix, words } = bech32.decode(text as `${string}1${string}`, false);
  if (prefixes.includes(prefix)) return bech32.fromWords(words);
  throw new Error('wrong prefix');
}

/**
 * True for a witness program: version 0 in bech32, later versions in bech32m (BIP 173, BIP 350).
 */
export function isSegwit(text: string, prefixes: readonly string[]): boolean {
  const first = bech32.decodeUnsafe(text);
  const { prefix, words } = first ?? bech32m.decode(text as `${string}1${string}`);
  const [version = -1, ...program] = words;
  const { length } = bech32.fromWords(program);
  if (!prefixes.includes(prefix) || (first !== undefined) !== (version === 0)) return false;
  return version === 0 ? length === 20 || length === 32 : version <= 16 && length >= 2 && length <= 40;
}

const CASH_CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const CASH_PREFIX = 'bitcoincash';
const CASH_GENERATORS = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];
const CASH_SUM_WORDS = 8;

/** The checksum of CashAddr: a 40-bit BCH code over words of 5 bits. It is 0 for valid words. */
function cashSum(words: readonly number[]): bigint {
  let sum = 1n;
  for (const word of [...Array.from(CASH_PREFIX, (letter) => letter.charCodeAt(0) & 31), 0, ...words]) {
    const top = sum >> 35n;
    sum = ((sum & 0x07ffffffffn) << 5n) ^ BigInt(word);
    for (const [bit, generator] of CASH_GENERATORS.entries()) if ((top >> BigInt(bit)) & 1n) sum ^= generator;
  }
  return sum ^ 1n;
}

/** CashAddr of Bitcoin Cash: version and hash. The prefix is optional. */
export const cashAddress: BytesCoder = {
  encode: (bytes) => {
    const words = bech32.toWords(bytes);
    const sum = cashSum([...words, ...new Array<number>(CASH_SUM_WORDS).fill(0)]);
    const ofSum = Array.from({ length: CASH_SUM_WORDS }, (_, index) => Number((sum >> BigInt(35 - 5 * index)) & 31n));
    return `${CASH_PREFIX}:${[...words, ...ofSum].map((word) => CASH_CHARACTERS[word]).join('')}`;
  },
  decode: (text) => {
    const lower = text === text.toUpperCase() ? text.toLowerCase() : text;
    const words = Array.from(lower.replace(`${CASH_PREFIX}:`, ''), (letter) => CASH_CHARACTERS.indexOf(letter));
    if (words.includes(-1) || cashSum(words) !== 0n) throw new Error('wrong checksum');
    return bech32.fromWords(words.slice(0, -CASH_SUM_WORDS));
  },
};

/**
 * Formats 40 hex digits as an Ethereum address, whose capital letters are the checksum (EIP-55).
 */
export function eip55(hex: string): string {
  const lower = hex.toLowerCase();
  const hash = keccak_256(lower);
  const letters = Array.from(lower, (letter, index) => {
    const nibble = ((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 15;
    return nibble >= 8 ? letter.toUpperCase() : letter;
  });
  return `0x${letters.join('')}`;
}
