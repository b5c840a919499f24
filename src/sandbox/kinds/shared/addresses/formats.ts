import { crc32 } from 'node:zlib';
import { type BytesCoder, base58, bech32, hex } from '@scure/base';
import {
  algorand,
  base58check,
  base58checkXrp,
  bech32Bytes,
  cashAddress,
  concat,
  eip55,
  filecoin,
  isSegwit,
  ss58,
  stellar,
} from './checksums.js';

/** The address format of one network. */
export interface AddressFormat {
  /** Completes the sentence "must be …". */
  readonly rule: string;
  /**
   * Returns false or throws for text that is not an address, including one with a wrong checksum.
   */
  readonly accepts: (text: string) => boolean;
  /** Makes an address from 32 bytes. */
  readonly make: (entropy: Uint8Array) => string;
}

const KEY_BYTES = 32;
const HASH_BYTES = 20;
const hashOf = (entropy: Uint8Array): Uint8Array => entropy.subarray(0, HASH_BYTES);

/** True for base58check of a version and a hash. */
const isHashed = (text: string, versions: readonly number[], coder: BytesCoder = base58check): boolean => {
  const { length, 0: version = -1 } = coder.decode(text);
  return length === 1 + HASH_BYTES && versions.includes(version);
};

const hashed = (version: number, entropy: Uint8Array, coder: BytesCoder = base58check): string =>
  coder.encode(concat([version], hashOf(entropy)));

/** True if one of the checks accepts the text. A check that throws does not accept it. */
export const acceptedBy = (readings: readonly ((text: string) => boolean)[], text: string): boolean =>
  readings.some((accepts) => {
    try {
      return accepts(text);
    } catch {
      return false;
    }
  });

const eitherOf =
  (...readings: readonly ((text: string) => boolean)[]) =>
  (text: string): boolean =>
    acceptedBy(readings, text);

/**
 * Bitcoin and coins derived from it. The first prefix is for the main network, others are for test
 * networks.
 */
function segwitOrBase58(
  rule: string,
  prefixes: readonly [string, ...string[]],
  versions: readonly number[],
): AddressFormat {
  return {
    rule,
    accepts: eitherOf(
      (text) => isSegwit(text, prefixes),
      (text) => isHashed(text, versions),
    ),
    make: (entropy) => bech32.encode(prefixes[0], [0, ...bech32.toWords(hashOf(entropy))]),
  };
}

export const BITCOIN: AddressFormat = segwitOrBase58(
  'a Bitcoin address with its checksum: base58 from 1 or 3, or bech32 from bc1',
  ['bc', 'tb', 'bcrt'],
  [0x00, 0x05, 0x6f, 0xc4],
);
export const LITECOIN: AddressFormat = segwitOrBase58(
  'a Litecoin address with its checksum: base58 from L, M or 3, or bech32 from ltc1',
  ['ltc', 'tltc'],
  [0x30, 0x32, 0x05, 0x6f, 0x3a],
);
export const DOGECOIN: AddressFormat = {
  rule: 'a Dogecoin address with its checksum: base58 from D, A or 9',
  accepts: (text) => isHashed(text, [0x1e, 0x16]),
  make: (entropy) => hashed(0x1e, entropy),
};
export const BITCOIN_CASH: AddressFormat = {
  rule: 'a Bitcoin Cash address with its checksum: q or p and CashAddr, or base58 from 1 or 3',
  accepts: eitherOf(
    (text) =>
      [0x00, 0x08].includes(cashAddress.decode(text)[0] ?? -1) && cashAddress.decode(text).length === 1 + HASH_BYTES,
    (text) => isHashed(text, [0x00, 0x05]),
  ),
  make: (entropy) => cashAddress.encode(concat([0], hashOf(entropy))),
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
export const AVALANCHE: AddressFormat = {
  rule: 'an Avalanche address: 0x and 40 hex digits with their checksum, or X-avax1 or P-avax1 and bech32',
  accepts: eitherOf(
    EVM.accepts,
    (text) => /^[XP]-/.test(text) && bech32Bytes(text.slice(2), ['avax']).length === HASH_BYTES,
  ),
  make: EVM.make,
};
export const TRON: AddressFormat = {
  rule: 'a TRON address with its checksum: T and 33 characters of base58',
  accepts: (text) => isHashed(text, [0x41]),
  make: (entropy) => hashed(0x41, entropy),
};
export const SOLANA: AddressFormat = {
  rule: 'a Solana address: 32 bytes in base58',
  accepts: (text) => base58.decode(text).length === KEY_BYTES,
  make: base58.encode,
};

/** Prefixes of an X-address, which contains the tag, on the main and the test network. */
const X_PREFIXES: readonly string[] = ['0544', '0493'];
const X_BYTES = 31;
export const XRP: AddressFormat = {
  rule: 'an address of the XRP Ledger with its checksum: base58 from r or X',
  accepts: eitherOf(
    (text) => isHashed(text, [0], base58checkXrp),
    (text) => {
      const bytes = base58checkXrp.decode(text);
      return bytes.length === X_BYTES && X_PREFIXES.includes(hex.encode(bytes.subarray(0, 2)));
    },
  ),
  make: (entropy) => hashed(0, entropy, base58checkXrp),
};

/** Version and length of an account address. A muxed address also contains a customer number. */
const STELLAR_ACCOUNT = { version: 6 << 3, length: 1 + KEY_BYTES };
const STELLAR_MUXED = { version: 12 << 3, length: 1 + KEY_BYTES + 8 };
export const STELLAR: AddressFormat = {
  rule: 'a Stellar address with its checksum: base32 from G or M',
  accepts: (text) => {
    const bytes = stellar.decode(text);
    return [STELLAR_ACCOUNT, STELLAR_MUXED].some(
      ({ version, length }) => bytes[0] === version && bytes.length === length,
    );
  },
  make: (entropy) => stellar.encode(concat([STELLAR_ACCOUNT.version], entropy)),
};

const EOS_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz12345';
export const EOS: AddressFormat = {
  rule: 'an EOS account: 1 to 13 of a-z, 1-5 and points',
  accepts: (text) => /^(?:[a-z1-5.]{0,11}[a-z1-5]|[a-z1-5.]{12}[a-j1-5])$/.test(text),
  make: (entropy) => Array.from(entropy.subarray(0, 12), (byte) => EOS_CHARACTERS[byte % 31]).join(''),
};
export const COSMOS: AddressFormat = {
  rule: 'a Cosmos address with its checksum: bech32 from cosmos1',
  accepts: (text) => [HASH_BYTES, KEY_BYTES].includes(bech32Bytes(text, ['cosmos']).length),
  make: (entropy) => bech32.encode('cosmos', bech32.toWords(hashOf(entropy))),
};

/** Prefixes on the main and the test network. */
const CARDANO_PREFIXES: readonly string[] = ['addr', 'addr_test'];
/** Lengths by the upper half of the first byte: two hashes, a hash and a pointer, one hash. */
const CARDANO_LENGTHS = { two: 57, one: 29 };
function isShelley(text: string): boolean {
  const { length, 0: header = 255 } = bech32Bytes(text, CARDANO_PREFIXES);
  const kind = header >> 4;
  if (kind <= 3) return length === CARDANO_LENGTHS.two;
  return kind <= 5 ? length > CARDANO_LENGTHS.one : kind <= 7 && length === CARDANO_LENGTHS.one;
}

/** Base58 of CBOR: a list of a tagged byte string and its CRC-32. */
function isByron(text: string): boolean {
  const bytes = Buffer.from(base58.decode(text));
  const content = bytes.subarray(5, -5);
  const isList = hex.encode(bytes.subarray(0, 4)) === '82d81858' && bytes[4] === content.length;
  return isList && bytes.at(-5) === 0x1a && bytes.readUInt32BE(bytes.length - 4) === crc32(content);
}
export const CARDANO: AddressFormat = {
  rule: 'a Cardano address with its checksum: bech32 from addr1, or base58 from Ae2 or DdzFF',
  accepts: eitherOf(isShelley, isByron),
  // A 28-byte hash, on the main network.
  make: (entropy) => bech32.encode('addr', bech32.toWords(concat([0x61], entropy.subarray(0, 28))), false),
};
export const POLKADOT: AddressFormat = {
  rule: 'a Polkadot address with its checksum: base58 from 1',
  accepts: (text) => {
    const { length, 0: network } = ss58.decode(text);
    return length === 1 + KEY_BYTES && network === 0;
  },
  make: (entropy) => ss58.encode(concat([0], entropy)),
};
export const NEAR: AddressFormat = {
  rule: 'a NEAR account: 2 to 64 of a-z and 0-9 in parts between . - _',
  accepts: (text) => text.length >= 2 && text.length <= 64 && /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/.test(text),
  make: hex.encode,
};
export const ALGORAND: AddressFormat = {
  rule: 'an Algorand address with its checksum: 58 characters of base32',
  accepts: (text) => algorand.decode(text).length === KEY_BYTES,
  make: algorand.encode,
};

/**
 * Addresses of these protocols contain a hash, or a 48-byte key. 410 is the delegated address of a
 * contract.
 */
const FILECOIN_PROTOCOLS: readonly { prefix: string; hashed: readonly number[]; length: number }[] = [
  { prefix: 'f1', hashed: [1], length: HASH_BYTES },
  { prefix: 'f2', hashed: [2], length: HASH_BYTES },
  { prefix: 'f3', hashed: [3], length: 48 },
  { prefix: 'f410f', hashed: [4, 10], length: HASH_BYTES },
];
export const FILECOIN: AddressFormat = {
  rule: 'a Filecoin address with its checksum: base32 from f1, f2, f3 or f410f',
  accepts: (text) => {
    const protocol = FILECOIN_PROTOCOLS.find(({ prefix }) => text.startsWith(prefix));
    if (protocol === undefined || text !== text.toLowerCase()) return false;
    const payload = text.slice(protocol.prefix.length).toUpperCase();
    return filecoin(protocol.hashed).decode(payload).length === protocol.length;
  },
  make: (entropy) => `f1${filecoin([1]).encode(hashOf(entropy)).toLowerCase()}`,
};
