import type { Members, Rule } from '../rules.js';

/** Forms that several operations share. */
export const ASSET_TYPE = /^(fiat|crypto|stablecoin|xstock)$/;
export const SYMBOL = /^.{3,16}$/;
export const DECIMAL = /^-?[0-9]+(\.[0-9]+)?$/;
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const FLAG = /^(true|false)$/;
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
export const COUNTRY = /^[A-Z]{2}$/;
export const SOME = /^.+$/s;

/** Parameters of a page. */
export const paging = (maximum = Number.POSITIVE_INFINITY, tokenLength = 256): Members => ({
  'page_size?': integer(1, maximum),
  'page_token?': new RegExp(`^.{1,${tokenLength}}$`),
});

/** An integer, written in decimal digits. */
export function integer(minimum: number, maximum: number): Rule {
  return (value) => {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : Number.NaN;
    return number >= minimum && number <= maximum ? undefined : `is no integer from ${minimum} to ${maximum}`;
  };
}

export const QUOTE_IN_FIAT: Members = { 'quote_symbol?': SYMBOL, 'quote_type?': /^fiat$/ };

export const ASSET: Members = { symbol: SYMBOL, type: ASSET_TYPE };
export const ASSET_AND_AMOUNT: Members = { ...ASSET, 'amount?': DECIMAL };

export const USD = { symbol: 'USD', type: 'fiat', name: 'US Dollar' };
export const BTC = { symbol: 'BTC', type: 'crypto', name: 'Bitcoin' };
export const XRP = { symbol: 'XRP', type: 'crypto', name: 'XRP' };
export const EUR = { symbol: 'EUR', type: 'fiat', name: 'Euro' };
