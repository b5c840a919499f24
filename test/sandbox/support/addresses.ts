import { bech32 } from '@scure/base';

/** One address of each network, as its own documentation shows them. */
export const ADDRESSES = {
  bitcoin: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  ethereum: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  polygon: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  arbitrum: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  solana: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
  tron: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  xrp: 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH',
  xlm: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
  eos: 'eosio.token',
  cosmos: 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh',
  optimism: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  sonic: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  avalanche: '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
  cardano: 'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8',
  dogecoin: 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L',
  polkadot: '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
  bitcoin_cash: 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
  litecoin: 'LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz',
  near: 'alice.near',
  filecoin: 'f17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy',
  algorand: '7ZUECA7HFLZTXENRV24SHLU4AVPUTMTTDUFUBNBD64C73F3UHRTHAIOF6Q',
  sepa: 'DE89 3704 0044 0532 0130 00',
  fps: '20-00-00 55779911',
  fedwire: '021000021 123456789',
  ach: '021000021/123456789',
  swift: 'DEUTDEFF500 / 0532013000',
} as const;

/** Another Bitcoin address for every number. */
export function bitcoinAddress(number: number): string {
  const hash = new Uint8Array(20);
  new DataView(hash.buffer).setUint32(16, number);
  return bech32.encode('bc', [0, ...bech32.toWords(hash)]);
}

/** Another address of Ethereum form for every word of hex digits. */
export const evmAddress = (word: string): string => `0x${word.padStart(40, '0')}`;
