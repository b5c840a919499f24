import { ALPHABETS, type Random } from '../state/random.js';

export function walletAddress(network: string, random: Random): string {
  switch (network) {
    case 'bitcoin':
      return `bc1q${random.text(38, ALPHABETS.bech32)}`;
    case 'solana':
      return random.text(44, ALPHABETS.base58);
    case 'tron':
      return `T${random.text(33, ALPHABETS.base58)}`;
    case 'xrp':
      return `r${random.text(33, ALPHABETS.base58)}`;
    case 'stellar':
      return `G${random.text(55, ALPHABETS.base32)}`;
    case 'cosmos':
      return `cosmos1${random.text(38, ALPHABETS.bech32)}`;
    default:
      return evmAddress(random);
  }
}

export const evmAddress = (random: Random): string => `0x${random.text(40, ALPHABETS.hex)}`;

/** Returns an id in the form of users, accounts and addresses: `AA` + 5, 5 and 6 characters. */
export function groupedId(prefix: string, random: Random): string {
  const group = (length: number): string => random.text(length, ALPHABETS.upper);
  return `${prefix}${group(5)}-${group(5)}-${group(6)}`;
}
