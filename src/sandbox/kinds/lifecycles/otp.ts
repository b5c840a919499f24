import * as z from 'zod/mini';
import type { RecordKind } from '../../core/records/records.js';
import type { State } from '../../core/records/state.js';

/** A header can carry only these characters. */
export const isOtp = (value: unknown): boolean => typeof value === 'string' && /^[!-~]{1,64}$/.test(value);
export const OTP_FORM = 'text of 1 to 64 printable ASCII characters, without spaces';

const LATEST = 'latest';

/** The one-time password that was set while the sandbox ran. Null: every one is taken. */
export const otps: RecordKind<{ readonly otp: string | null }> = {
  name: 'otp',
  schema: () => z.object({ otp: z.nullable(z.string().check(z.refine(isOtp))) }),
};

/** Returns the only one-time password that is taken, or null if every one is. */
export function takenOtp({ records, otp }: State): string | null {
  const set = records.of(otps).get(LATEST);
  return set === undefined ? (otp ?? null) : set.otp;
}

export function setOtp({ records }: State, otp: string | null): void {
  records.of(otps).set(LATEST, { otp });
}

/** The options say which one is taken. */
export function forgetOtp({ records }: State): void {
  records.of(otps).delete(LATEST);
}
