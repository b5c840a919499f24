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
  cosmos: 'cosmos1vlthgax23ca9syk7xgaz347xmf4nunefw3cnv8',
  sepa: 'DE89 3704 0044 0532 0130 00',
  fps: '20-00-00 55779911',
  fedwire: '021000021 123456789',
  ach: '021000021/123456789',
  swift: 'DEUTDEFF500 / 0532013000',
} as const;

/** Another Bitcoin address for every number. */
export function bitcoinAddress(number: number): string {
  const digits = number.toString(2).replaceAll('0', 'p').replaceAll('1', 'q');
  return `bc1q${digits.padStart(38, 'z')}`;
}

/** Another address of Ethereum form for every word of hex digits. */
export const evmAddress = (word: string): string => `0x${word.padStart(40, '0')}`;
