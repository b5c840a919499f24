import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3';
import { type BytesCoder, base58, bech32, bech32m, utils } from '@scure/base';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/** Base58check of Bitcoin. Decoding throws if the checksum is wrong. */
export const base58check: BytesCoder = utils.chain(
  utils.checksum(4, (payload) => sha256(sha256(payload))),
  base58,
);

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
