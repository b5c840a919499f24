/** Symbol, name, price in US dollars, decimal places for funding and for swaps. */
export type MoneyRow = readonly [symbol: string, name: string, usd: string, funding: number, swap: number];

/** The members of `MoneyRow`, then circulating and maximum supply. */
export type MarketRow = readonly [
  symbol: string,
  name: string,
  usd: string,
  funding: number,
  swap: number,
  circulating: string,
  max?: string,
];

const FIAT: readonly MoneyRow[] = [
  ['USD', 'US Dollar', '1', 2, 2],
  ['EUR', 'Euro', '1.0865', 2, 2],
  ['GBP', 'British Pound', '1.2743', 2, 2],
  ['CAD', 'Canadian Dollar', '0.7312', 2, 2],
  ['CHF', 'Swiss Franc', '1.1389', 2, 2],
  ['AUD', 'Australian Dollar', '0.6571', 2, 2],
  ['JPY', 'Japanese Yen', '0.006712', 0, 0],
];

const CRYPTO: readonly MarketRow[] = [
  ['BTC', 'Bitcoin', '67432.10', 8, 8, '19712340', '21000000'],
  ['ETH', 'Ethereum', '3521.44', 10, 10, '120234567'],
  ['XRP', 'XRP', '0.61234', 6, 6, '55912345678', '100000000000'],
  ['SOL', 'Solana', '148.27', 9, 9, '462345678'],
  ['ADA', 'Cardano', '0.45871', 6, 6, '35678901234', '45000000000'],
  ['DOGE', 'Dogecoin', '0.12543', 8, 8, '144567890123'],
  ['TRX', 'TRON', '0.12011', 6, 6, '87345678901'],
  ['DOT', 'Polkadot', '6.8432', 10, 10, '1432109876'],
  ['LINK', 'Chainlink', '14.872', 10, 10, '587099970', '1000000000'],
  ['AVAX', 'Avalanche', '35.641', 9, 9, '394567890', '720000000'],
  ['BCH', 'Bitcoin Cash', '412.35', 8, 8, '19723456', '21000000'],
  ['LTC', 'Litecoin', '83.12', 8, 8, '74678901', '84000000'],
  ['UNI', 'Uniswap', '7.9123', 10, 10, '599876543', '1000000000'],
  ['NEAR', 'NEAR Protocol', '5.4321', 10, 10, '1098765432'],
  ['ATOM', 'Cosmos', '8.1204', 6, 6, '390123456'],
  ['XLM', 'Stellar', '0.10432', 7, 7, '29012345678', '50001806812'],
  ['FIL', 'Filecoin', '5.6712', 10, 10, '567890123', '1960000000'],
  ['ARB', 'Arbitrum', '0.98123', 10, 10, '2890123456', '10000000000'],
  ['OP', 'Optimism', '2.1098', 10, 10, '1098234567', '4294967296'],
  ['ALGO', 'Algorand', '0.17654', 6, 6, '8123456789', '10000000000'],
  ['AAVE', 'Aave', '93.87', 10, 10, '14890123', '16000000'],
  ['EOS', 'EOS', '0.78123', 4, 4, '1123456789'],
  ['S', 'Sonic', '0.53217', 10, 10, '2880000000'],
  ['SPX', 'SPX6900', '0.71934', 8, 8, '930993090', '1000000000'],
  // A price with many leading zeros: it must never be written with an exponent.
  ['SHIB', 'Shiba Inu', '0.0000002314', 5, 5, '589264883286605'],
];

const STABLECOINS: readonly MarketRow[] = [
  ['USDT', 'Tether', '1.0002', 6, 6, '112345678901'],
  ['USDC', 'USD Coin', '0.9999', 6, 6, '33456789012'],
  ['DAI', 'Dai', '0.9997', 10, 10, '5345678901'],
  ['PYUSD', 'PayPal USD', '1.0001', 6, 6, '412345678'],
  ['EURC', 'Euro Coin', '1.0861', 6, 6, '39123456'],
  ['RLUSD', 'Ripple USD', '1.0000', 6, 6, '98765432'],
];

const XSTOCKS: readonly MarketRow[] = [
  ['AAPLx', 'Apple xStock', '212.49', 8, 8, '54321'],
  ['TSLAx', 'Tesla xStock', '248.23', 8, 8, '87654'],
  ['NVDAx', 'NVIDIA xStock', '126.57', 8, 8, '120345'],
  ['GOOGLx', 'Alphabet xStock', '179.63', 8, 8, '32109'],
  ['AMZNx', 'Amazon xStock', '186.34', 8, 8, '28765'],
  ['METAx', 'Meta xStock', '499.49', 8, 8, '15432'],
  ['COINx', 'Coinbase xStock', '226.17', 8, 8, '19876'],
  // A crypto asset has the same ticker, so a symbol alone does not identify an asset.
  ['SPX', 'S&P 500 xStock', '543.11', 8, 8, '43210'],
];

/** The assets by type. A ticker without a type means the first of these types that has it. */
export const ASSET_ROWS: {
  readonly fiat: readonly MoneyRow[];
  readonly crypto: readonly MarketRow[];
  readonly stablecoin: readonly MarketRow[];
  readonly xstock: readonly MarketRow[];
} = { fiat: FIAT, crypto: CRYPTO, stablecoin: STABLECOINS, xstock: XSTOCKS };

/** Assets that cannot be swapped, withdrawn or deposited. */
export const DISABLED: Readonly<Record<'swap' | 'withdraw' | 'deposit', readonly string[]>> = {
  swap: ['EOS'],
  withdraw: ['EOS', 'SHIB', 'JPY'],
  deposit: ['EOS', 'FIL', 'CHF'],
};

/** Number of deposit methods of assets that do not have one per network. One has several pages. */
export const DEPOSIT_METHODS: Readonly<Record<string, number>> = {
  BTC: 47,
  ETH: 3,
  USDC: 6,
  USDT: 5,
  USD: 4,
  EUR: 3,
  S: 1,
};
