/** True if a JavaScript number has all digits of a number in JSON. */
export const keepsDigits = (json: string): boolean => significant(String(Number(json))) === significant(json);

/** Returns the digits of a number without exponent, decimal point and zeros at both ends. */
const significant = (number: string): string =>
  number
    .replace(/e.*$/i, '')
    .replaceAll(/[^\d]/g, '')
    .replace(/^0+/, '')
    .replace(/(?<!0)0+$/, '');
