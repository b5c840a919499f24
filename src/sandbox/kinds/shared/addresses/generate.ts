import { ALPHABETS, type Random } from '../../../core/basics/random.js';
import { networkNamed } from './networks.js';

export const ADDRESS_DRAWS = 32;

/** Generates an address that has the form of a network. */
export function walletAddress(via: string, random: Random): string {
  const network = networkNamed(via);
  if (network === undefined) throw new Error(`there is no network ${via}`);
  return network.form.make(random.bytes(ADDRESS_DRAWS));
}

export const evmAddress = (random: Random): string => `0x${random.text(40, ALPHABETS.hex)}`;

/** Returns an id in the form of users, accounts and addresses: `AA` + 5, 5 and 6 characters. */
export function groupedId(prefix: string, random: Random): string {
  const group = (length: number): string => random.text(length, ALPHABETS.upper);
  return `${prefix}${group(5)}-${group(5)}-${group(6)}`;
}
