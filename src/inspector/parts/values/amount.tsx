import { grouped } from './decimal.js';

interface AmountProps {
  /** A decimal text. */
  readonly text: string;
  /** Most decimals in the column, so that the decimal points are aligned. */
  readonly places: number;
}

/** A decimal number in a column. */
export function Amount({ text, places }: AmountProps) {
  const point = text.indexOf('.');
  // The decimal point takes a place, too.
  const taken = point < 0 ? 0 : text.length - point;
  const missing = places === 0 ? 0 : places + 1 - taken;
  return (
    <span class="amount" style={{ paddingRight: `${missing}ch` }}>
      {grouped(text)}
    </span>
  );
}
