import * as z from 'zod/mini';
import { DECIMAL_TEXT } from '../../schema/decimal.js';
import { text } from './basics/checked.js';
import { excerpt } from './basics/excerpt.js';
import type { Asset } from './market/catalogue.js';
import { MAX_AMOUNT_LENGTH } from './money/money.js';
import type { AccountState, State } from './records/state.js';

/** An asset as a caller of the sandbox names it. */
export interface NamedAsset {
  /** Ticker, for example `BTC`. */
  readonly symbol: string;
  /** Class: `fiat`, `crypto`, `stablecoin` or `xstock`. Default: the first with the ticker. */
  readonly asset_type?: string | undefined;
}

const isAmount = (value: string): boolean => DECIMAL_TEXT.test(value) && !value.startsWith('-');

export const amount = z
  .string()
  .check(z.maxLength(MAX_AMOUNT_LENGTH), z.refine(isAmount, 'must be a decimal number as a string'));
export const amountAboveZero = amount.check(z.refine((value) => /[1-9]/.test(value), 'must be above 0'));
export const namedAsset = { symbol: text, asset_type: z.optional(text) };

/** Changes the state between two tasks, then runs what is due. Returns a copy of the result. */
export function betweenTasks<T>({ clock }: State, run: () => T): T {
  clock.catchUp();
  const result = structuredClone(run());
  clock.catchUp();
  return result;
}

/** @throws Error for an unknown account. */
export function accountNamed({ accounts }: State, method: string, id: string): AccountState {
  const account = accounts.get(id);
  if (account === undefined) throw new Error(`${method}: there is no account ${excerpt(id)}`);
  return account;
}

/** @throws TypeError for an unknown asset. */
export function assetNamed({ catalogue }: State, method: string, { symbol, asset_type: type }: NamedAsset): Asset {
  const asset = catalogue.assets.find((one) => one.symbol === symbol && (type === undefined || one.type === type));
  if (asset !== undefined) return asset;
  throw new TypeError(
    `${method}: there is no ${type === undefined ? '' : `${excerpt(type)} `}asset ${excerpt(symbol)}`,
  );
}
