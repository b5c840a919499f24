/** The API keys of one client, or of several clients with the same API keys. */
export class ClientList {
  readonly id: string;
  readonly apiKeys: readonly string[];
  /** Open clients. */
  clients = 0;
  /** A call has asked for one of the API keys. */
  wanted = false;
  /** Those that could be used when it was last asked. */
  usable: readonly string[] = [];

  constructor(id: string, apiKeys: readonly string[]) {
    this.id = id;
    this.apiKeys = apiKeys;
  }
}

/** The lists of all clients that use a source. */
export class ClientLists {
  readonly #lists = new Map<string, ClientList>();
  /** Clients ask with the same array again and again. */
  readonly #known = new WeakMap<readonly string[], ClientList>();

  /** The list of these API keys; a new one when there is none. */
  of(apiKeys: readonly string[]): ClientList {
    const known = this.#known.get(apiKeys);
    if (known !== undefined && this.#lists.get(known.id) === known) return known;
    const id = JSON.stringify([...apiKeys].sort());
    const list = this.#lists.get(id) ?? new ClientList(id, [...apiKeys]);
    this.#lists.set(id, list);
    this.#known.set(apiKeys, list);
    return list;
  }

  /** The lists with this API key. */
  with(apiKey: string): ClientList[] {
    return this.all().filter(({ apiKeys }) => apiKeys.includes(apiKey));
  }

  all(): ClientList[] {
    return [...this.#lists.values()];
  }

  remove(list: ClientList): void {
    this.#lists.delete(list.id);
  }
}
