import { type DirectPartner, directSandbox } from '../../support/direct-partner.js';

/** The partner of a sandbox that goes on from the snapshot of another. Its nonces go on, too. */
export function continuing({ sandbox }: DirectPartner): DirectPartner {
  const later = directSandbox({ snapshot: sandbox.snapshot() });
  for (let skipped = 0; skipped < 1_000; skipped += 1) later.nextNonce();
  return later;
}
