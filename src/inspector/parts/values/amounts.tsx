/** Returns the largest number of decimals in decimal texts. */
export const placesIn = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, text.split('.')[1]?.length ?? 0), 0);

/** A decimal text in units of its last digit. */
function unitsOf(text: string, places: number): bigint {
  const [whole = '0', rest = ''] = text.replace(/^[+-]/, '').split('.');
  const units = BigInt(whole + rest.padEnd(places, '0'));
  return text.startsWith('-') ? -units : units;
}

/** Returns the exact sum of decimal texts. A number would lose digits. */
export function sumOf(texts: readonly string[]): string {
  const places = placesIn(texts);
  const sum = texts.reduce((before, text) => before + unitsOf(text, places), 0n);
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, '0');
  const end = digits.length - places;
  const rest = digits.slice(end).replace(/0+$/, '');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, end)}${rest === '' ? '' : `.${rest}`}`;
}

export const negated = (text: string): string => (text.startsWith('-') ? text.slice(1) : `-${text.replace('+', '')}`);

/** Writes a decimal text with its whole digits in groups of three: `1,234,567.50`. */
export const grouped = (text: string): string =>
  text.replace(/^([+-]?\d+)/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));

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
