import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3';
import { type BytesCoder, base58, bech32, bech32m, hex, utils } from '@scure/base';
import { ALPHABETS } from '../../../core/basics/random.js';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/** Base58check of Bitcoin. Decoding throws if the checksum is wrong. */
const base58check: BytesCoder = utils.chain(
  utils.checksum(4, (payload) => sha256(sha256(payload))),
  base58,
);

/** True for witness programs: version 0 in bech32, later ones in bech32m (BIP 173, BIP 350). */
function isSegwit(text: string, prefixes: readonly string[]): boolean {
  const first = bech32.decodeUnsafe(text);
  const { prefix, words } = first ?? bech32m.decode(text as `${string}1${string}`);
  const [version = -1, ...program] = words;
  const { length } = bech32.fromWords(program);
  if (!prefixes.includes(prefix) || (first !== undefined) !== (version === 0)) return false;
  return version === 0 ? length === 20 || length === 32 : version <= 16 && length >= 2 && length <= 40;
}

/** Writes 40 hex digits as an Ethereum address, whose capitals are its checksum (EIP-55). */
function eip55(hex: string): string {
  const lower = hex.toLowerCase();
  const hash = keccak_256(lower);
  const letters = Array.from(lower, (letter, index) => {
    const nibble = ((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 15;
    return nibble >= 8 ? letter.toUpperCase() : letter;
  });
  return `0x${letters.join('')}`;
}

/** The address format of one network. */
export interface AddressFormat {
  /** Completes the sentence "must be …". */
  readonly rule: string;
  readonly accepts: (text: string) => boolean;
  /** Makes an address from 32 bytes. */
  readonly make: (entropy: Uint8Array) => string;
}

const KEY_BYTES = 32;
const HASH_BYTES = 20;
const hashOf = (entropy: Uint8Array): Uint8Array => entropy.subarray(0, HASH_BYTES);

/** Characters of base58 and bech32 in a pattern. */
const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
const BECH32 = '[02-9ac-hj-np-z]';

/** How an address is made. `length`: number of characters after the prefix. */
type Made = readonly [prefix: string, alphabet: string, length: number];

/** A format without the checksum of its network. */
function patternOf(rule: string, pattern: string, [prefix, alphabet, length]: Made): AddressFormat {
  const whole = new RegExp(`^(?:${pattern})$`);
  const character = (entropy: Uint8Array, index: number) =>
    alphabet[((entropy[index % KEY_BYTES] ?? 0) + index) % alphabet.length];
  return {
    rule,
    accepts: (text) => whole.test(text),
    make: (entropy) => prefix + Array.from({ length }, (_, index) => character(entropy, index)).join(''),
  };
}

/** Versions of hashes on the main and the test network. */
const BITCOIN_VERSIONS: readonly number[] = [0x00, 0x05, 0x6f, 0xc4];
/** Prefixes on the main and the test networks. */
const BITCOIN_PREFIXES: readonly string[] = ['bc', 'tb', 'bcrt'];

function isHashed(text: string): boolean {
  const { length, 0: version = -1 } = base58check.decode(text);
  return length === 1 + HASH_BYTES && BITCOIN_VERSIONS.includes(version);
}

/** A check that throws does not accept the text. */
function isAccepted(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}

export const BITCOIN: AddressFormat = {
  rule: 'a Bitcoin address with its checksum: base58 from 1 or 3, or bech32 from bc1',
  accepts: (text) => isAccepted(() => isSegwit(text, BITCOIN_PREFIXES)) || isAccepted(() => isHashed(text)),
  make: (entropy) => bech32.encode('bc', [0, ...bech32.toWords(hashOf(entropy))]),
};

const HEX_ADDRESS = /^0x([0-9a-fA-F]{40})$/;
export const EVM: AddressFormat = {
  rule: 'an address of Ethereum form: 0x and 40 hex digits, whose capitals, if there are any, are its checksum',
  accepts: (text) => {
    const digits = HEX_ADDRESS.exec(text)?.[1] ?? '';
    const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
    return digits !== '' && (isOneCase || eip55(digits) === text);
  },
  make: (entropy) => eip55(hex.encode(hashOf(entropy))),
};

const AVALANCHE_CHAINS = new RegExp(`^[XP]-avax1${BECH32}{38}$`);
export const AVALANCHE: AddressFormat = {
  rule: 'an Avalanche address: 0x and 40 hex digits with their checksum, or X-avax1 or P-avax1 and bech32',
  accepts: (text) => EVM.accepts(text) || AVALANCHE_CHAINS.test(text),
  make: EVM.make,
};

export const SOLANA: AddressFormat = {
  rule: 'a Solana address: 32 bytes in base58',
  accepts: (text) => isAccepted(() => base58.decode(text).length === KEY_BYTES),
  make: base58.encode,
};

export const LITECOIN: AddressFormat = patternOf(
  'a Litecoin address: base58 from L, M or 3, or bech32 from ltc1',
  `[LM3mn2Q]${BASE58}{25,33}|t?ltc1${BECH32}{38,58}`,
  ['ltc1q', ALPHABETS.bech32, 38],
);
export const DOGECOIN: AddressFormat = patternOf('a Dogecoin address: base58 from D, A or 9', `[DA9]${BASE58}{25,33}`, [
  'D',
  ALPHABETS.base58,
  33,
]);
export const BITCOIN_CASH: AddressFormat = patternOf(
  'a Bitcoin Cash address: q or p and CashAddr, or base58 from 1 or 3',
  `(?:bitcoincash:)?[qp]${BECH32}{41}|[13]${BASE58}{25,33}`,
  ['bitcoincash:q', ALPHABETS.bech32, 41],
);
export const TRON: AddressFormat = patternOf('a TRON address: T and 33 characters of base58', `T${BASE58}{33}`, [
  'T',
  ALPHABETS.base58,
  33,
]);
export const XRP: AddressFormat = patternOf(
  'an address of the XRP Ledger: base58 from r or X',
  `r${BASE58}{24,34}|[XT]${BASE58}{46}`,
  ['r', ALPHABETS.base58, 33],
);
export const STELLAR: AddressFormat = patternOf(
  'a Stellar address: base32 from G or M',
  'G[A-Z2-7]{55}|M[A-Z2-7]{68}',
  ['G', ALPHABETS.base32, 55],
);
export const EOS: AddressFormat = patternOf(
  'an EOS account: 1 to 13 of a-z, 1-5 and points',
  '[a-z1-5.]{0,11}[a-z1-5]|[a-z1-5.]{12}[a-j1-5]',
  ['', 'abcdefghijklmnopqrstuvwxyz12345', 12],
);
export const COSMOS: AddressFormat = patternOf(
  'a Cosmos address: bech32 from cosmos1',
  `cosmos1${BECH32}{38}(?:${BECH32}{20})?`,
  ['cosmos1', ALPHABETS.bech32, 38],
);
export const CARDANO: AddressFormat = patternOf(
  'a Cardano address: bech32 from addr1, or base58 from Ae2 or DdzFF',
  `addr(?:_test)?1${BECH32}{53,103}|(?:Ae2|DdzFF)${BASE58}{50,110}`,
  ['addr1v', ALPHABETS.bech32, 52],
);
export const POLKADOT: AddressFormat = patternOf('a Polkadot address: base58 from 1', `1${BASE58}{45,47}`, [
  '1',
  ALPHABETS.base58,
  46,
]);
export const NEAR: AddressFormat = patternOf(
  'a NEAR account: 2 to 64 of a-z and 0-9 in parts between . - _',
  '(?=.{2,64}$)[a-z0-9]+(?:[._-][a-z0-9]+)*',
  ['', ALPHABETS.hex, 64],
);
export const ALGORAND: AddressFormat = patternOf('an Algorand address: 58 characters of base32', '[A-Z2-7]{58}', [
  '',
  ALPHABETS.base32,
  58,
]);
export const FILECOIN: AddressFormat = patternOf(
  'a Filecoin address: base32 from f1, f2, f3 or f410f',
  'f[12][a-z2-7]{39}|f3[a-z2-7]{84}|f410f[a-z2-7]{39}',
  ['f1', ALPHABETS.base32.toLowerCase(), 39],
);
