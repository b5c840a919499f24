import { grouped } from './decimal.js';

interface AmountProps {
  /** A decimal text. */
  readonly text: string;
  /** Digits behind the point of the longest in its column: the points stand below each other. */
  readonly places: number;
}

/** A number in a column of numbers. */
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

/** Digits behind the point of the longest of decimal texts. */
export const placesIn = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, text.split('.')[1]?.length ?? 0), 0);
