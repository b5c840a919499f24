/** Units of common nonces, by the number of digits that a present time has in them. */
const UNITS = [
  { unit: 'seconds', digits: 10, perMs: 0.001 },
  { unit: 'milliseconds', digits: 13, perMs: 1 },
  { unit: 'microseconds', digits: 16, perMs: 1_000 },
  { unit: 'nanoseconds', digits: 19, perMs: 1_000_000 },
] as const;

/** The time that a nonce contains, if it is a time since the epoch. */
export interface NonceTime {
  readonly unit: (typeof UNITS)[number]['unit'];
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Returns undefined for a number that is not a time from 2001 to 2286 in any unit. */
export function nonceTime(nonce: bigint): NonceTime | undefined {
  const { length } = nonce.toString();
  const known = UNITS.find(({ digits }) => digits === length);
  return known && { unit: known.unit, at: Math.floor(Number(nonce) / known.perMs) };
}
