import * as z from 'zod/mini';
import { text } from '../core/basics/checked.js';
import { excerpt } from '../core/basics/excerpt.js';
import type { ApiKey, SandboxCredentials } from '../core/keys/api-keys.js';
import {
  type CredentialOptions,
  credentialOptions,
  nonceWindow,
  requestQuota,
  scopeList,
} from '../core/keys/credential-options.js';
import { type NonceTime, nonceTime } from '../core/keys/nonce-time.js';
import type { RequestQuota } from '../core/keys/quota-terms.js';
import type { ApiKeyScope } from '../core/keys/scopes.js';
import type { GroupOf } from '../core/kind/group.js';
import type { QuotaLevel } from '../trouble/settings.js';
import type { DrivenService } from './service/driven.js';

/** The highest nonce that an API key has used. */
export interface LastNonce {
  readonly nonce: string;
  /** The time that it contains. Undefined if it is not a present time in any unit. */
  readonly time: NonceTime | undefined;
}

/** A time by both clocks: milliseconds since the epoch. */
export interface KeyUse {
  /** By the sandbox's clock. */
  readonly at: number;
  /** By the machine's clock. */
  readonly real: number;
}

/** An API key of the partner, without its secret. */
export interface SandboxKey {
  readonly apiKey: string;
  /** Label of the API key for people. Undefined if the API key was issued without one. */
  readonly label: string | undefined;
  /** Milliseconds since the epoch by the sandbox's clock. */
  readonly createdAt: number;
  /** Undefined if the API key has all scopes. */
  readonly scopes: readonly ApiKeyScope[] | undefined;
  /**
   * The quota of the API key, otherwise the quota of the settings, and what is left of it.
   * Undefined if there is no limit.
   */
  readonly quota: QuotaLevel | undefined;
  /** Number of higher nonces that may be used before a lower one. With 0, nonces rise strictly. */
  readonly nonceWindow: number;
  /** The highest nonce that was used. Undefined if none was used. */
  readonly lastNonce: LastNonce | undefined;
  /** Time of its last authentic request in this process. Undefined if there was none. */
  readonly lastUse: KeyUse | undefined;
  /** Number of authentic requests in this process. */
  readonly requests: number;
  /** Number of requests in this process that got 401 because a nonce as high had been used. */
  readonly races: number;
  /** True if every request with it gets 401. */
  readonly revoked: boolean;
}

/** `sandbox.keys`: the partner's API keys. Each has its own nonces and count of requests. */
export interface SandboxKeys {
  /** Returns all API keys, oldest first: the first is the one in `credentials`. */
  list(): SandboxKey[];
  /** Issues another API key of the partner, with its own nonces and quota. */
  issue(options?: CredentialOptions): SandboxCredentials;
  /** Rejects later requests with this API key (401), even after a snapshot, until `reinstate`. */
  revoke(apiKey: string): void;
  /** Undoes `revoke`. Used nonces stay used. */
  reinstate(apiKey: string): void;
  /**
   * Sets the scopes of an API key. The service answers 403 to every other operation.
   *
   * @param scopes The new scopes, at least one, or `null` for all.
   */
  setScopes(apiKey: string, scopes: readonly ApiKeyScope[] | null): void;
  /**
   * Sets an API key's own quota, and starts its count again.
   *
   * @param quota The quota, or `null` for that of the settings.
   */
  setQuota(apiKey: string, quota: RequestQuota | null): void;
  /**
   * Sets how late a nonce may arrive. The service accepts a lower nonce once, as long as at most
   * `nonceWindow` higher nonces of the API key have been used. With 0, nonces must rise strictly. A
   * wider window does not accept nonces that were too low for the previous one.
   *
   * @param nonceWindow Number of higher nonces that may have been used: 0 to 1,000.
   */
  setNonceWindow(apiKey: string, nonceWindow: number): void;
  /** Replaces the secret of an API key. Requests that are signed with the old one get 401. */
  rotateSecret(apiKey: string): SandboxCredentials;
}

export const keys: GroupOf<DrivenService, SandboxKeys> = {
  name: 'keys',
  removal: 'revoke',
  methods: {
    list: {
      id: 'apiKey',
      run: ({ keys: all, settings: { quota } }) => all.list().map((key) => shown(key, quota.levelOf(key))),
    },
    issue: {
      takes: { options: z.optional(credentialOptions) },
      run: (service, options = {}) => service.keys.issue(options),
    },
    revoke: {
      takes: { apiKey: text },
      run: (service, apiKey) => change(service, 'keys.revoke', apiKey, { revoked: true }),
    },
    reinstate: {
      takes: { apiKey: text },
      run: (service, apiKey) => change(service, 'keys.reinstate', apiKey, { revoked: false }),
    },
    setScopes: {
      takes: { apiKey: text, scopes: z.nullable(scopeList) },
      run: (service, apiKey, scopes) => change(service, 'keys.setScopes', apiKey, { scopes: scopes ?? undefined }),
    },
    setQuota: {
      takes: { apiKey: text, quota: z.nullable(requestQuota) },
      run(service, apiKey, quota) {
        change(service, 'keys.setQuota', apiKey, { quota: quota ?? undefined });
        service.settings.quota.endWindow(apiKey);
      },
    },
    setNonceWindow: {
      takes: { apiKey: text, nonceWindow },
      run(service, apiKey, width) {
        service.keys.change(named(service, 'keys.setNonceWindow', apiKey), (key) => key.nonces.resize(width));
      },
    },
    rotateSecret: {
      takes: { apiKey: text },
      run: (service, apiKey) => service.keys.rotateSecret(named(service, 'keys.rotateSecret', apiKey)),
    },
  },
};

/** @throws Error for an unknown API key. */
function named({ keys: all }: DrivenService, method: string, apiKey: string): ApiKey {
  const key = all.find(apiKey);
  if (key === undefined) throw new Error(`${method}: there is no API key ${excerpt(apiKey)}`);
  return key;
}

type Changeable = Partial<Pick<ApiKey, 'revoked' | 'scopes' | 'quota'>>;

function change(service: DrivenService, method: string, apiKey: string, members: Changeable): void {
  service.keys.change(named(service, method, apiKey), (key) => void Object.assign(key, members));
}

function shown(key: ApiKey, quota: QuotaLevel | undefined): SandboxKey {
  const { apiKey, label, createdAt, nonces, scopes, requests, races, lastUse, revoked } = key;
  const { last, width } = nonces;
  return {
    apiKey,
    label,
    createdAt,
    scopes: scopes && [...scopes],
    quota,
    nonceWindow: width,
    lastNonce: last === undefined ? undefined : { nonce: last.toString(), time: nonceTime(last) },
    lastUse,
    requests,
    races,
    revoked,
  };
}
