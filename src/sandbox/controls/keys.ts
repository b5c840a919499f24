import type { Authenticator } from '../request/authenticate.js';
import type { ApiKeyScope } from '../request/scopes.js';
import { checked, text } from './input.js';

/** An API key of the partner, without its secret. */
export interface SandboxKey {
  readonly apiKey: string;
  /** Undefined: all. */
  readonly scopes: readonly ApiKeyScope[] | undefined;
  /** True if every request with it is answered 401. */
  readonly revoked: boolean;
}

/** `sandbox.keys`: the partner's API keys. */
export interface SandboxKeys {
  /** Returns all API keys, oldest first: the first is that of `credentials`. */
  list(): SandboxKey[];
  /**
   * Answers every later request with this API key with 401, also after a snapshot. It cannot be
   * taken back.
   *
   * @throws TypeError for a key that is not text. Error for an unknown key.
   */
  revoke(apiKey: string): void;
}

export function keyControls(authenticator: Authenticator): SandboxKeys {
  return {
    list: () => authenticator.list(),
    revoke(apiKey) {
      const known = authenticator.revoke(checked('keys.revoke', text, apiKey));
      if (!known) throw new Error(`keys.revoke: there is no API key ${apiKey}`);
    },
  };
}
