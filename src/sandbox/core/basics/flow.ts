import { isRecord } from '../../../util/options.js';

/** Joins the texts among the parts. */
export const words = (...parts: readonly unknown[]): string =>
  parts.filter((part) => typeof part === 'string' && part !== '').join(' ');

/**
 * Says in a few words what goes from where to where, or whom it is about. Empty text if the value
 * has neither.
 */
export function flowIn(given: unknown): string {
  if (!isRecord(given)) return '';
  const { trade, from, to, to_amount, to_symbol, out_asset_symbol, amount, key, name, full_name: person } = given;
  const got = sideIn(to) || words(to_amount, to_symbol ?? out_asset_symbol) || words(amount && key);
  if (got !== '') return words(name && `${name}:`, sideIn(from) || sideIn(given), '→', got);
  const { first_name, last_name } = isRecord(person) ? person : {};
  return flowIn(trade) || words(first_name, last_name) || words(given['external_reference']);
}

/** One side of a flow: an amount, else its place. Empty text if the value is neither. */
export function sideIn(side: unknown): string {
  if (!isRecord(side)) return '';
  const { amount, from_amount, in_amount, symbol, asset_symbol, from_symbol, in_asset_symbol, tag, email } = side;
  const sum = words(amount ?? from_amount ?? in_amount, symbol ?? asset_symbol ?? from_symbol ?? in_asset_symbol);
  return sideIn(side['asset']) || sum || words(tag ?? email ?? side['account']);
}
