/** All clients of a source that have the same API keys. */
export class ClientGroup {
  readonly id: string;
  readonly apiKeys: readonly string[];
  /** The number of open clients. */
  clients = 0;
  /** True once a call has asked for one of the API keys. */
  wanted = false;
  /** The API keys that were held when it was last asked. */
  usable: readonly string[] = [];

  constructor(id: string, apiKeys: readonly string[]) {
    this.id = id;
    this.apiKeys = apiKeys;
  }
}

/** The groups of all clients that use a source. */
export class ClientGroups {
  readonly #groups = new Map<string, ClientGroup>();
  /** Each client asks with the same array every time. */
  readonly #known = new WeakMap<readonly string[], ClientGroup>();

  /** Returns the group with these API keys, a new one if there is none. */
  of(apiKeys: readonly string[]): ClientGroup {
    const known = this.#known.get(apiKeys);
    if (known !== undefined && this.#groups.get(known.id) === known) return known;
    const id = JSON.stringify([...apiKeys].sort());
    const group = this.#groups.get(id) ?? new ClientGroup(id, [...apiKeys]);
    this.#groups.set(id, group);
    this.#known.set(apiKeys, group);
    return group;
  }

  /** Returns the groups that have this API key. */
  with(apiKey: string): ClientGroup[] {
    return this.all().filter(({ apiKeys }) => apiKeys.includes(apiKey));
  }

  all(): ClientGroup[] {
    return [...this.#groups.values()];
  }

  remove(group: ClientGroup): void {
    this.#groups.delete(group.id);
  }
}
