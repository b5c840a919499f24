/** The crypto assets that earn by staking: ticker, and yield of a year in per cent. */
export const STAKING: readonly (readonly [symbol: string, apy: string])[] = [
  ['ADA', '2.40'],
  ['ATOM', '14.25'],
  ['AVAX', '5.60'],
  ['DOT', '11.50'],
  ['ETH', '3.10'],
  ['NEAR', '7.80'],
  ['SOL', '6.25'],
  ['TRX', '3.75'],
];
