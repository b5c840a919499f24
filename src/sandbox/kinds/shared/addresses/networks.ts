import * as form from './formats.js';

/** A network for transfers of assets. */
export interface Network {
  readonly name: string;
  readonly form: form.AddressFormat;
  /** Name of the value that distinguishes customers who share an address. */
  readonly mark?: 'memo' | 'tag';
}

/** Networks by their names in `via`. */
export const NETWORKS = {
  bitcoin: { name: 'Bitcoin', form: form.BITCOIN },
  ethereum: { name: 'Ethereum', form: form.EVM },
  polygon: { name: 'Polygon', form: form.EVM },
  arbitrum: { name: 'Arbitrum One', form: form.EVM },
  optimism: { name: 'Optimism', form: form.EVM },
  sonic: { name: 'Sonic', form: form.EVM },
  avalanche: { name: 'Avalanche', form: form.AVALANCHE },
  solana: { name: 'Solana', form: form.SOLANA },
  tron: { name: 'TRON', form: form.TRON },
  xrp: { name: 'XRP Ledger', form: form.XRP, mark: 'tag' },
  xlm: { name: 'Stellar', form: form.STELLAR, mark: 'memo' },
  eos: { name: 'EOS', form: form.EOS, mark: 'memo' },
  cosmos: { name: 'Cosmos Hub', form: form.COSMOS, mark: 'memo' },
  cardano: { name: 'Cardano', form: form.CARDANO },
  dogecoin: { name: 'Dogecoin', form: form.DOGECOIN },
  polkadot: { name: 'Polkadot', form: form.POLKADOT },
  bitcoin_cash: { name: 'Bitcoin Cash', form: form.BITCOIN_CASH },
  litecoin: { name: 'Litecoin', form: form.LITECOIN },
  near: { name: 'NEAR', form: form.NEAR },
  filecoin: { name: 'Filecoin', form: form.FILECOIN },
  algorand: { name: 'Algorand', form: form.ALGORAND },
} as const satisfies Readonly<Record<string, Network>>;

export type NetworkId = keyof typeof NETWORKS;

/** Rails for fiat money. The sandbox does not check the format of their account numbers. */
export const BANK_RAILS: readonly string[] = ['sepa', 'fps', 'fedwire', 'ach', 'swift'];

export const ALIASES: ReadonlyMap<string, NetworkId> = new Map([
  ['ripple', 'xrp'],
  ['xrpl', 'xrp'],
  ['stellar', 'xlm'],
  ['atom', 'cosmos'],
  ['cosmoshub', 'cosmos'],
]);

const CRYPTO_NETWORKS: ReadonlyMap<string, readonly NetworkId[]> = new Map([
  ['BTC', ['bitcoin']],
  ['ETH', ['ethereum', 'arbitrum', 'optimism']],
  ['XRP', ['xrp']],
  ['SOL', ['solana']],
  ['ADA', ['cardano']],
  ['DOGE', ['dogecoin']],
  ['TRX', ['tron']],
  ['DOT', ['polkadot']],
  ['AVAX', ['avalanche']],
  ['BCH', ['bitcoin_cash']],
  ['LTC', ['litecoin']],
  ['NEAR', ['near']],
  ['ATOM', ['cosmos']],
  ['XLM', ['xlm']],
  ['FIL', ['filecoin']],
  ['ARB', ['arbitrum']],
  ['OP', ['optimism']],
  ['ALGO', ['algorand']],
  ['EOS', ['eos']],
  ['S', ['sonic']],
]);
/** Networks of all other assets, by class. Fiat money uses bank rails. */
const CLASS_NETWORKS: ReadonlyMap<string, readonly NetworkId[]> = new Map([
  ['crypto', ['ethereum']],
  ['stablecoin', ['ethereum', 'tron', 'solana', 'polygon', 'arbitrum', 'optimism']],
  ['xstock', ['solana', 'ethereum']],
]);
const XRP_STABLECOIN = 'RLUSD';

/** Returns the networks of an asset: at least one, except for fiat money. */
export function networksOf({ symbol, type }: { readonly symbol: string; readonly type: string }): readonly NetworkId[] {
  if (type === 'stablecoin' && symbol === XRP_STABLECOIN) return ['xrp', 'ethereum'];
  return (type === 'crypto' ? CRYPTO_NETWORKS.get(symbol) : undefined) ?? CLASS_NETWORKS.get(type) ?? [];
}

/** Returns a network by one of its names, in any case. */
export function networkNamed(via: string): Network | undefined {
  const name = via.toLowerCase();
  const id = ALIASES.get(name) ?? name;
  return Object.hasOwn(NETWORKS, id) ? NETWORKS[id as NetworkId] : undefined;
}
