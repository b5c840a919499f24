import type { Asset } from '../../core/market/catalogue.js';

/** Rails and networks by symbol. All other assets have those of their class. */
const BY_SYMBOL: Readonly<Record<string, readonly string[]>> = {
  ...{ USD: ['ach', 'fedwire', 'swift'], EUR: ['sepa', 'swift'], GBP: ['fps', 'swift'] },
  ...{ BTC: ['bitcoin'], ETH: ['ethereum', 'arbitrum'], SOL: ['solana'], TRX: ['tron'], ARB: ['arbitrum'] },
  ...{ XRP: ['xrp'], XLM: ['xlm'], ATOM: ['cosmos'], USDC: ['ethereum', 'solana', 'polygon', 'arbitrum'] },
  ...{ USDT: ['ethereum', 'tron', 'polygon'] },
};

const BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  ...{ fiat: ['swift'], stablecoin: ['ethereum'], xstock: ['ethereum', 'solana'] },
};

/** Returns the values of `via` that are accepted when a wallet is whitelisted for the asset. */
export const railsOf = ({ symbol, type }: Asset): readonly string[] =>
  (type === 'xstock' ? undefined : BY_SYMBOL[symbol]) ?? BY_TYPE[type] ?? [];
