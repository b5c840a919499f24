import type { WithdrawalAddressValidateBody } from '../../../../resources/funds/addresses.js';
import type { Cause } from '../../../core/request/refusal.js';
import type { AddressFormat } from './formats.js';
import { NETWORKS, type Network, networkNamed, networksOf } from './networks.js';

/** Maximum number of characters, because decoding base58 takes quadratic time. */
const MAX_ADDRESS_LENGTH = 128;

const isAddress = (address: string, { accepts }: AddressFormat): boolean =>
  address.length <= MAX_ADDRESS_LENGTH && accepts(address);

/** Returns what is wrong with an address for a network or a bank rail. */
export function wrongOnNetwork(field: string, address: string, via: string): Cause[] {
  const network = networkNamed(via);
  return network === undefined ? wrongForBank(field, address) : wrongOnAll(field, address, [network]);
}

/** The destination of a withdrawal, as in a request. */
type Destination = Pick<WithdrawalAddressValidateBody, 'address' | 'memo'> & { readonly tag?: string | undefined };

/** Returns what is wrong with a destination for an asset, on any of its networks. */
export function wrongForAsset(asset: { symbol: string; type: string }, { address, memo, tag }: Destination): Cause[] {
  const networks: readonly Network[] = networksOf(asset).map((id) => NETWORKS[id]);
  if (networks.length === 0) return wrongForBank('address', address);
  const causes = wrongOnAll('address', address, networks);
  const possible = causes.length > 0 ? networks : networks.filter(({ form }) => isAddress(address, form));
  if (!memo && !tag && possible.every(({ mark }) => mark !== undefined)) {
    causes.push({ field: 'memo', message: `memo or tag is required for ${asset.symbol}` });
  }
  return causes;
}

function wrongOnAll(field: string, address: string, networks: readonly Network[]): Cause[] {
  if (networks.some(({ form }) => isAddress(address, form))) return [];
  const rules = new Set(networks.map(({ form }) => form.rule));
  return [{ field, message: `must be ${[...rules].join(', or ')}` }];
}

/** The sandbox does not check the format of bank account numbers. */
const wrongForBank = (field: string, address: string): Cause[] =>
  address.trim() === '' ? [{ field, message: 'must not be empty' }] : [];
