/** What gives a request of the platform's `fetch` a connection of its own. */
export interface OwnConnection {
  /** Members of `fetch`'s init. */
  readonly init: Readonly<Record<string, unknown>>;
  close(): void;
}

interface Platform {
  readonly Bun?: unknown;
  readonly Deno?: { createHttpClient?(options: object): { close(): void } };
}

/**
 * Returns what keeps `fetch` of Bun and Deno from sending a request twice. Both send the request
 * again when a connection breaks that was used before, although the service may have processed it.
 * `connection: close` does not change that. Undefined where `fetch` sends a request once.
 */
export function ownConnection(): OwnConnection | undefined {
  const { Bun, Deno } = globalThis as Platform;
  if (Bun !== undefined) return { init: { keepalive: false }, close() {} };
  const client = Deno?.createHttpClient?.({ poolMaxIdlePerHost: 0 });
  return client && { init: { client }, close: () => client.close() };
}
