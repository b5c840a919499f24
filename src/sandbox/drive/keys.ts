import { checkGiven, type Rule, wholeNumber } from '../../util/options.js';
import { excerpt } from '../core/basics/excerpt.js';
import { checked, text } from '../core/input.js';
import type { ApiKey, SandboxCredentials } from '../core/keys/api-keys.js';
import { type CredentialOptions, readCredentialOptions } from '../core/keys/credential-options.js';
import { type NonceTime, nonceTime } from '../core/keys/nonce-time.js';
import { QUOTA_RULE, type RequestQuota } from '../core/keys/quota-terms.js';
import { type ApiKeyScope, SCOPES_RULE } from '../core/keys/scopes.js';
import { MAX_NONCE_WINDOW } from '../core/keys/used-nonces.js';
import type { DrivenService } from './service/driven.js';

/** The highest nonce that an API key has used. */
export interface LastNonce {
  readonly nonce: string;
  /** The moment that it names. Undefined if it is no time of our days in any unit. */
  readonly time: NonceTime | undefined;
}

/** A moment by both clocks: milliseconds since the epoch. */
export interface KeyUse {
  /** By the sandbox's clock. */
  readonly at: number;
  /** By the machine's clock. */
  readonly real: number;
}

/** An API key of the partner, without its secret. */
export interface SandboxKey {
  readonly apiKey: string;
  /** Its name for people. Undefined: it was issued without one. */
  readonly label: string | undefined;
  /** Milliseconds since the epoch by the sandbox's clock. */
  readonly createdAt: number;
  /** Undefined: all. */
  readonly scopes: readonly ApiKeyScope[] | undefined;
  /** The key's own quota, else that of `createSandbox`. Undefined: no limit. */
  readonly quota: RequestQuota | undefined;
  /**
   * Number of higher nonces that may have been used before a lower one. 0: nonces rise strictly.
   */
  readonly nonceWindow: number;
  /** Undefined: none was used. */
  readonly lastNonce: LastNonce | undefined;
  /** Its last authentic request in this process. Undefined: there was none. */
  readonly lastUse: KeyUse | undefined;
  /** Authentic requests in this process. */
  readonly requests: number;
  /** Requests in this process that were answered 401 because a nonce as high had been used. */
  readonly races: number;
  /** True if every request with it is answered 401. */
  readonly revoked: boolean;
}

/**
 * `sandbox.keys`: the partner's API keys. Each has its own nonces and its own count of requests.
 */
export interface SandboxKeys {
  /** Returns all API keys, oldest first: the first is that of `credentials`. */
  list(): SandboxKey[];
  /**
   * Issues a further API key of the same partner, with its own nonces and quota. Its scopes are
   * those given, else all.
   *
   * @throws TypeError for an unknown or wrong option.
   */
  issue(options?: CredentialOptions): SandboxCredentials;
  /**
   * Answers every later request with this API key with 401, also after a snapshot, until
   * `reinstate`.
   *
   * @throws TypeError for a key that is not text. Error for an unknown key.
   */
  revoke(apiKey: string): void;
  /**
   * Undoes `revoke`. The nonces of the key continue from the last one.
   *
   * @throws TypeError for a key that is not text. Error for an unknown key.
   */
  reinstate(apiKey: string): void;
  /**
   * Sets what the API key may do; `null`: everything. Other operations are answered 403.
   *
   * @param scopes The scopes that it has, at least one; `null`: all.
   * @throws TypeError for a wrong argument. Error for an unknown key.
   */
  setScopes(apiKey: string, scopes: readonly ApiKeyScope[] | null): void;
  /**
   * Gives the API key a quota of its own; `null`: that of `createSandbox`. Its count begins anew.
   *
   * @param quota The quota; `null`: that of `createSandbox`.
   * @throws TypeError for a wrong argument. Error for an unknown key.
   */
  setQuota(apiKey: string, quota: RequestQuota | null): void;
  /**
   * Lets the API key use a nonce late, once: while at most `nonceWindow` higher ones have been
   * used, 0 to 1,000. 0: nonces rise strictly. A wider window takes no nonce that was too low for
   * the last one.
   *
   * @param nonceWindow Number of higher nonces that may have been used: 0 to 1,000.
   * @throws TypeError for a wrong argument. Error for an unknown key.
   */
  setNonceWindow(apiKey: string, nonceWindow: number): void;
  /**
   * Gives the API key a new secret. Requests that are signed with the old one are answered 401.
   *
   * @throws TypeError for a key that is not text. Error for an unknown key.
   */
  rotateSecret(apiKey: string): SandboxCredentials;
}

const NONCE_WINDOW_RULE: Rule = { ...wholeNumber(0, MAX_NONCE_WINDOW), required: true };

export function keyControls({ keys, trouble: { quota } }: DrivenService): SandboxKeys {
  const named = (method: string, apiKey: string): ApiKey => {
    const key = keys.find(checked(method, text, apiKey));
    if (key === undefined) throw new Error(`${method}: there is no API key ${excerpt(apiKey)}`);
    return key;
  };
  return {
    list: () => keys.list().map((key) => shown(key, quota.quotaOf(key))),
    issue: (options = {}) => keys.issue(readCredentialOptions('keys.issue', options)),
    revoke(apiKey) {
      keys.change(named('keys.revoke', apiKey), (key) => {
        key.revoked = true;
      });
    },
    reinstate(apiKey) {
      keys.change(named('keys.reinstate', apiKey), (key) => {
        key.revoked = false;
      });
    },
    setScopes(apiKey, scopes) {
      const key = named('keys.setScopes', apiKey);
      const given = { scopes: scopes ?? undefined };
      const rule = { ...SCOPES_RULE, required: scopes !== null };
      const rules = { scopes: rule };
      const terms = checkGiven<Pick<CredentialOptions, 'scopes'>>('keys.setScopes', given, rules, TypeError);
      keys.change(key, () => {
        key.scopes = terms.scopes;
      });
    },
    setQuota(apiKey, requests) {
      const key = named('keys.setQuota', apiKey);
      const given = { quota: requests ?? undefined };
      const rule = { ...QUOTA_RULE, required: requests !== null };
      const rules = { quota: rule };
      const terms = checkGiven<Pick<CredentialOptions, 'quota'>>('keys.setQuota', given, rules, TypeError);
      keys.change(key, () => {
        key.quota = terms.quota;
      });
      quota.beginAnew(apiKey);
    },
    setNonceWindow(apiKey, nonceWindow) {
      const key = named('keys.setNonceWindow', apiKey);
      const rules = { nonceWindow: NONCE_WINDOW_RULE };
      checkGiven('keys.setNonceWindow', { nonceWindow }, rules, TypeError);
      keys.change(key, () => key.nonces.resize(nonceWindow));
    },
    rotateSecret: (apiKey) => keys.rotateSecret(named('keys.rotateSecret', apiKey)),
  };
}

function shown(key: ApiKey, quota: RequestQuota | undefined): SandboxKey {
  const { apiKey, label, createdAt, nonces, scopes, requests, races, lastUse, revoked } = key;
  const { last, width: nonceWindow } = nonces;
  const lastNonce = last === undefined ? undefined : { nonce: last.toString(), time: nonceTime(last) };
  return {
    ...{ apiKey, label, createdAt, scopes: scopes && [...scopes], quota: quota && { ...quota } },
    ...{ nonceWindow, lastNonce, lastUse, requests, races, revoked },
  };
}
