import { grouped } from './decimal.js';

interface AmountProps {
  /** A decimal text. */
  readonly text: string;
  /** Most decimals in the column, so that the decimal points are aligned. */
  readonly places: number;
}

/** A decimal number in a column. */
export function Amount({ text, places }: AmountProps) {
  const [whole = '', rest] = grouped(text).split('.');
  const width = places === 0 ? 0 : places + 1;
  return (
    <span class="amount">
      {whole}
      <span class="places" style={{ width: `${width}ch` }}>
        {rest === undefined ? '' : `.${rest}`}
      </span>
    </span>
  );
}
