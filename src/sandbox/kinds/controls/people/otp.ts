import * as z from 'zod/mini';
import { checked } from '../../../core/input.js';
import type { State } from '../../../core/records/state.js';
import { isOtp, OTP_FORM, setOtp, takenOtp } from '../../lifecycles/otp.js';

/** `sandbox.otp`: the one-time password that the service takes. */
export interface SandboxOtp {
  /** Returns the only one that is taken, or null if every one is. */
  get(): string | null;
  /**
   * Takes this one-time password alone from now on, 1 to 64 printable ASCII characters; `null`
   * takes every one that is not empty. `fixtures.otp` stays as it is.
   *
   * @throws TypeError for anything else.
   */
  set(otp: string | null): void;
}

const otpRule = z.nullable(z.string().check(z.refine(isOtp, `must be ${OTP_FORM}`)));

export function otpControls(state: State): SandboxOtp {
  return {
    get: () => takenOtp(state),
    set: (otp) => setOtp(state, checked('otp.set', otpRule, otp)),
  };
}
