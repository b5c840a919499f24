import type { Changes } from '../basics/changes.js';
import { ALPHABETS, type Random } from '../basics/random.js';
import type { Now } from '../clock/clock.js';
import type { CredentialOptions } from './credential-options.js';
import type { RequestQuota } from './quota-terms.js';
import type { ApiKeyScope } from './scopes.js';
import { type SavedNonces, UsedNonces } from './used-nonces.js';

/** An API key and its secret, named like the options of a client. */
export interface SandboxCredentials {
  /** Public key, sent as `API-Key`. */
  readonly apiKey: string;
  /** Private key, base64. */
  readonly apiSecret: string;
}

export interface SavedKey extends SandboxCredentials, Omit<CredentialOptions, 'nonceWindow'> {
  readonly createdAt: number;
  /** The highest used nonce. Undefined: none was used. */
  readonly lastNonce?: string | undefined;
  /** Only for a key with a nonce window. */
  readonly nonces?: SavedNonces | undefined;
  readonly revoked?: true | undefined;
}

/** Text that replaces a secret. */
const MASK = '[secret]';

/** An API key with the state that the service keeps for it. */
export class ApiKey {
  readonly apiKey: string;
  /** Milliseconds since the epoch, by the sandbox's clock. */
  readonly createdAt: number;
  readonly nonces: UsedNonces;
  secret: Buffer;
  /** The secret before the last `rotateSecret`, so that its use can be recognised. */
  formerSecret: Buffer | undefined;
  scopes: readonly ApiKeyScope[] | undefined;
  quota: RequestQuota | undefined;
  label: string | undefined;
  revoked = false;
  /** Number of authentic requests in this run. */
  requests = 0;
  /** Number of requests in this run that were rejected because of their nonce. */
  races = 0;
  /** Nonce of the last request with the API key, even if it was rejected. */
  previousNonce: string | undefined;
  /** Time of the last authentic request, by the sandbox's clock and by the machine's. */
  lastUse: { readonly at: number; readonly real: number } | undefined;

  constructor(apiKey: string, secret: Buffer, nonces: UsedNonces, createdAt: number) {
    this.apiKey = apiKey;
    this.secret = secret;
    this.nonces = nonces;
    this.createdAt = createdAt;
  }

  get secretText(): string {
    return this.secret.toString('base64');
  }

  credentials(): SandboxCredentials {
    return Object.freeze({ apiKey: this.apiKey, apiSecret: this.secretText });
  }

  save(): SavedKey {
    const { createdAt, nonces, scopes, quota, label, revoked } = this;
    return {
      ...this.credentials(),
      createdAt,
      lastNonce: nonces.last?.toString(),
      ...(nonces.width === 0 ? {} : { nonces: nonces.save() }),
      ...(scopes === undefined ? {} : { scopes: [...scopes] }),
      ...(quota === undefined ? {} : { quota }),
      ...(label === undefined ? {} : { label }),
      ...(revoked ? { revoked } : {}),
    };
  }

  /** `keep` returns the nonces that were used already. */
  static restored(
    { apiKey, apiSecret, createdAt, ...saved }: SavedKey,
    keep: (nonces: UsedNonces) => UsedNonces,
  ): ApiKey {
    const floor = saved.lastNonce === undefined ? undefined : BigInt(saved.lastNonce);
    const nonces = saved.nonces === undefined ? new UsedNonces(0, floor) : UsedNonces.restored(saved.nonces);
    const key = new ApiKey(apiKey, Buffer.from(apiSecret, 'base64'), keep(nonces), createdAt);
    key.scopes = saved.scopes;
    key.quota = saved.quota;
    key.label = saved.label;
    key.revoked = saved.revoked ?? false;
    return key;
  }
}

export class ApiKeys {
  readonly #random: Random;
  readonly #clock: Now;
  readonly #keys = new Map<string, ApiKey>();
  /** The nonces of all keys ever issued: they stay used when a key is issued again. */
  readonly #nonces = new Map<string, UsedNonces>();
  readonly #changes: Changes;

  constructor(random: Random, clock: Now, changes: Changes) {
    this.#random = random;
    this.#clock = clock;
    this.#changes = changes;
  }

  issue({ scopes, quota, nonceWindow, label }: CredentialOptions = {}): SandboxCredentials {
    const apiKey = `pk_${this.#random.text(40, ALPHABETS.alphanumeric)}`;
    const nonces = this.#keep(apiKey, new UsedNonces(nonceWindow));
    const key = new ApiKey(apiKey, this.#newSecret(), nonces, this.#clock.now());
    key.scopes = scopes;
    key.quota = quota;
    key.label = label;
    this.#changes.announce('keys');
    this.#keys.set(apiKey, key);
    return key.credentials();
  }

  /** Returns the first key, issued if there is none. `scopes` replace those of the key. */
  first(scopes?: readonly ApiKeyScope[]): SandboxCredentials {
    const [first] = this.#keys.values();
    if (first === undefined) return this.issue({ scopes });
    first.scopes = scopes ?? first.scopes;
    return first.credentials();
  }

  change(key: ApiKey, edit: (key: ApiKey) => void): void {
    this.#changes.announce('keys');
    edit(key);
  }

  find(apiKey: string): ApiKey | undefined {
    return this.#keys.get(apiKey);
  }

  /** Oldest first. */
  list(): ApiKey[] {
    return [...this.#keys.values()];
  }

  /** Masks secrets that a client has sent by mistake, so that the journal does not show them. */
  masked(text: string): string {
    if (this.#keys.has(text)) return text;
    return this.list().reduce((masked, { secretText }) => masked.replaceAll(secretText, MASK), text);
  }

  rotateSecret(key: ApiKey): SandboxCredentials {
    this.change(key, () => {
      key.formerSecret = key.secret;
      key.secret = this.#newSecret();
    });
    return key.credentials();
  }

  save(): SavedKey[] {
    return this.list().map((key) => key.save());
  }

  restore(keys: readonly SavedKey[]): void {
    this.#keys.clear();
    for (const saved of keys) {
      this.#keys.set(
        saved.apiKey,
        ApiKey.restored(saved, (nonces) => this.#keep(saved.apiKey, nonces)),
      );
    }
  }

  /** Returns the nonces that the key has used before, or the given ones if they are higher. */
  #keep(apiKey: string, nonces: UsedNonces): UsedNonces {
    const used = this.#nonces.get(apiKey);
    const [last = -1n, before = -1n] = [nonces.last, used?.last];
    const kept = used === undefined || last > before ? nonces : used;
    kept.resize(nonces.width);
    this.#nonces.set(apiKey, kept);
    return kept;
  }

  #newSecret(): Buffer {
    return Buffer.from(this.#random.bytes(64));
  }
}
