import type { Cause } from '../refusal.js';

/** The form of a network's addresses: prefix, characters and length. Checksums are not checked. */
interface AddressForm {
  readonly pattern: RegExp;
  /** Ends the sentence "must be". */
  readonly rule: string;
}

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
const BECH32 = '[02-9ac-hj-np-z]';

const BITCOIN: AddressForm = {
  // Includes test networks, and capitals as in QR codes.
  pattern: new RegExp(`^(?:[123mn]${BASE58}{25,34}|(?:bc|tb|bcrt)1${BECH32}{8,87}|(?:BC|TB)1[02-9AC-HJ-NP-Z]{8,87})$`),
  rule: 'a Bitcoin address: 1 or 3 and 25 to 34 characters of base58, or bc1 and 8 to 87 characters of bech32',
};
const EVM: AddressForm = { pattern: /^0x[0-9a-fA-F]{40}$/, rule: 'an address of Ethereum form: 0x and 40 hex digits' };
const SOLANA: AddressForm = {
  pattern: new RegExp(`^${BASE58}{32,44}$`),
  rule: 'a Solana address: 32 to 44 characters of base58',
};
const TRON: AddressForm = {
  pattern: new RegExp(`^T${BASE58}{33}$`),
  rule: 'a TRON address: T and 33 characters of base58',
};
const XRP: AddressForm = {
  pattern: new RegExp(`^(?:r${BASE58}{24,34}|[XT]${BASE58}{46})$`),
  rule: 'an address of the XRP Ledger: r and 24 to 34 characters of base58',
};
const STELLAR: AddressForm = {
  pattern: /^(?:G[A-Z2-7]{55}|M[A-Z2-7]{68})$/,
  rule: 'a Stellar address: G and 55 characters of base32',
};
const EOS: AddressForm = { pattern: /^[a-z1-5.]{1,13}$/, rule: 'an EOS account: 1 to 13 of a-z, 1-5 and points' };
const COSMOS: AddressForm = {
  pattern: new RegExp(`^cosmos1(?:${BECH32}{38}|${BECH32}{58})$`),
  rule: 'a Cosmos address: cosmos1 and 38 or 58 characters of bech32',
};
const STABLECOIN: AddressForm = {
  pattern: new RegExp([EVM, SOLANA, TRON].map(({ pattern }) => pattern.source).join('|')),
  rule: 'an address of Ethereum (0x and 40 hex digits), Solana or TRON form',
};
const XSTOCK: AddressForm = {
  pattern: new RegExp([EVM, SOLANA].map(({ pattern }) => pattern.source).join('|')),
  rule: 'an address of Ethereum (0x and 40 hex digits) or Solana form',
};

/** By network, in small letters. Account numbers of bank rails have no form here. */
const BY_NETWORK: ReadonlyMap<string, AddressForm> = new Map([
  ['bitcoin', BITCOIN],
  ['ethereum', EVM],
  ['polygon', EVM],
  ['arbitrum', EVM],
  ['solana', SOLANA],
  ['tron', TRON],
  ['xrp', XRP],
  ['ripple', XRP],
  ['xlm', STELLAR],
  ['stellar', STELLAR],
  ['eos', EOS],
  ['cosmos', COSMOS],
  ['atom', COSMOS],
]);

/** By symbol. Addresses of other assets are not checked. */
const BY_CRYPTO_SYMBOL: ReadonlyMap<string, AddressForm> = new Map([
  ['BTC', BITCOIN],
  ...['ETH', 'ARB', 'LINK', 'UNI', 'AAVE', 'SHIB'].map((symbol) => [symbol, EVM] as const),
  ['SOL', SOLANA],
  ['TRX', TRON],
  ['XRP', XRP],
  ['XLM', STELLAR],
  ['EOS', EOS],
  ['ATOM', COSMOS],
]);

/** Returns what is wrong with an address on a network. */
export function wrongOnNetwork(field: string, address: string, network: string): Cause[] {
  return wrongFor(BY_NETWORK.get(network.toLowerCase()), field, address);
}

/** Returns what is wrong with an asset's address. Its network is not known here. */
export function wrongForAsset(field: string, address: string, asset: { symbol: string; type: string }): Cause[] {
  if (asset.type === 'stablecoin') return wrongFor(STABLECOIN, field, address);
  if (asset.type === 'xstock') return wrongFor(XSTOCK, field, address);
  return wrongFor(asset.type === 'crypto' ? BY_CRYPTO_SYMBOL.get(asset.symbol) : undefined, field, address);
}

function wrongFor(form: AddressForm | undefined, field: string, address: string): Cause[] {
  if (address.trim() === '') return [{ field, message: 'must not be empty' }];
  return form === undefined || form.pattern.test(address) ? [] : [{ field, message: `must be ${form.rule}` }];
}
