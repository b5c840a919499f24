import * as z from 'zod/mini';
import type { GroupOf } from '../core/kind/group.js';
import type { StateGroup } from '../core/kind/kind.js';
import { drop, keep } from '../core/mutations.js';
import type { RecordKind } from '../core/records/records.js';
import type { State } from '../core/records/state.js';

/** A password of characters that a header can contain. */
export const otpText = z
  .string()
  .check(z.regex(/^[!-~]{1,64}$/, 'must be a string of 1 to 64 printable ASCII characters, without spaces'));

const LATEST = 'latest';

/** The one-time password that was set while the sandbox ran. Null: any is accepted. */
const otps: RecordKind<{ readonly otp: string | null }> = {
  name: 'otp',
  schema: () => z.object({ otp: z.nullable(otpText) }),
};

/** Returns the only accepted one-time password, or null if any is accepted. */
export function acceptedOtp({ records, otp }: State): string | null {
  const set = records.of(otps).get(LATEST);
  return set === undefined ? (otp ?? null) : set.otp;
}

function setOtp(state: State, given: string | null): void {
  keep(state, otps, undefined, LATEST, { otp: given });
  state.changes.announce('otp');
}

/** Restores the one-time password that the options set. */
export function resetOtp(state: State): void {
  drop(state, otps, undefined, LATEST);
}

/** `sandbox.otp`: the one-time password that the service accepts. */
export interface SandboxOtp {
  /** Returns the only accepted password, or null if any is accepted. */
  get(): string | null;
  /**
   * Accepts only this one-time password from now on, 1 to 64 printable ASCII characters; `null`
   * accepts any that is not empty. `fixtures.otp` stays unchanged.
   *
   * @param otp The password, or `null` for any.
   * @throws TypeError for anything else.
   */
  set(otp: string | null): void;
}

/** The one-time password that the service accepts. */
export const otp: StateGroup & GroupOf<State, SandboxOtp> = {
  name: 'otp',
  moreOfPartner: [otps],
  methods: {
    get: { get: '', run: acceptedOtp },
    set: { takes: { otp: z.nullable(otpText) }, run: setOtp },
  },
};
