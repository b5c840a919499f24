import { type ClientOptions, PartnerClient } from 'partner-sdk';
import { createSandbox } from './create-sandbox.js';
import type { SandboxOptions } from './options.js';
import type { Sandbox } from './serve/sandbox/sandbox.js';

/** Options of a client that depend on its sandbox. */
const OF_THE_SANDBOX = ['baseUrl', 'apiKey', 'apiSecret', 'credentials', 'transport'] as const;

/** Options of `createTestClient`: those of the sandbox, and `client`. */
export interface TestClientOptions extends SandboxOptions {
  /**
   * Options of the client, for example `{ maxRetries: 0 }`. Service, API key and transport are
   * those of the sandbox. Default: none.
   *
   * @example
   * const { client, sandbox } = createTestClient({ client: { maxRetries: 0 } });
   * sandbox.fail({ fault: 503 });
   * await client.users.get(userId).catch((error) => console.log(error.name)); // UnavailableError
   */
  readonly client?: Omit<ClientOptions, (typeof OF_THE_SANDBOX)[number]> | undefined;
}

/** A client, and the sandbox to which it sends requests. */
export interface TestClient {
  readonly client: PartnerClient;
  readonly sandbox: Sandbox;
  /** Closes the client, then the sandbox. May be called again. */
  close(): Promise<void>;
  /** `close`, at the end of a block: `await using test = createTestClient()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a sandbox and a client of it, for a test. No port is opened, and no call waits for a
 * timer, so fake timers may replace all of them, before or after. Back-off, timeouts and latencies
 * follow the fake timers. `PartnerClient` is the class that `import` or `require` of the same file
 * returns, so `instanceof` works. Links in responses, such as a `download_url`, lead to no host:
 * `sandbox.fetch(new Request(link))` reads them.
 *
 * @example
 * const { client, sandbox } = createTestClient({ seed: 1 });
 * const user = await client.users.get(sandbox.fixtures.userId);
 *
 * @throws TypeError for an unknown or wrong option of the sandbox, ConfigurationError for one of
 * the client.
 */
export function createTestClient({ client: clientOptions = {}, ...options }: TestClientOptions = {}): TestClient {
  for (const name of OF_THE_SANDBOX) {
    if (name in clientOptions) {
      throw new TypeError(`createTestClient: client.${name} is the sandbox's: use sandbox.transport() for another`);
    }
  }
  const sandbox = createSandbox(options);
  const client = new PartnerClient({
    // As for a sandbox with a port: its webhooks may be on a private network.
    allowInsecureHttp: true,
    ...clientOptions,
    ...sandbox.credentials,
    // No such host exists. A plain fetch of a link in a response fails, and the error names it.
    baseUrl: 'https://use-sandbox-fetch.invalid',
    transport: sandbox.transport(),
  });
  const close = async (): Promise<void> => {
    await client.close();
    await sandbox.close();
  };
  return { client, sandbox, close, [Symbol.asyncDispose]: close };
}
