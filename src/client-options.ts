import type { Hooks } from './events.js';
import type { Logger } from './logger.js';
import type { AppInfo, OtpProvider } from './request/options.js';
import type { ResponseValidation } from './schema/reading.js';
import type { NonceSource } from './signing/nonce.js';
import type { Signer } from './signing/signer.js';
import type { NonceOrder } from './stats.js';
import type { Transport } from './transport/transport.js';

/**
 * The API secret in base64, or a function that fetches it, for example from a vault. The function
 * is called once per attempt, so the secret may rotate.
 */
export type ApiSecret = string | (() => string | Promise<string>);

/** Options of `new PartnerClient()`. An unknown or invalid option throws a `ConfigurationError`. */
export interface ClientOptions {
  /**
   * Address of the service: https, or http on loopback. It may have a path prefix, which is signed
   * with the path, but no query, fragment or credentials. Default: the environment variable
   * `PARTNER_BASE_URL`.
   */
  readonly baseUrl?: string | undefined;
  /** The partner's public key. Default: the environment variable `PARTNER_API_KEY`. */
  readonly apiKey?: string | undefined;
  /**
   * The secret of `apiKey` in base64, or a function that returns it. Default: the environment
   * variable `PARTNER_API_SECRET`.
   *
   * @example
   * const client = new PartnerClient({
   *   apiKey,
   *   apiSecret: () => vault.read('partner-api-secret'),
   * });
   */
  readonly apiSecret?: ApiSecret | undefined;
  /**
   * Several API keys, instead of `apiKey` and `apiSecret`. Each has its own lane. The hash of a
   * write's idempotency key chooses its API key, in the same way in every process with the same
   * list, so that a retry reaches the API key of the first attempt. Any other call uses the least
   * busy API key. Don't change the list while the outcome of a write is `unknown`.
   *
   * @example
   * const credentials = [
   *   { apiKey: 'key-1', apiSecret: () => vault.read('key-1') },
   *   { apiKey: 'key-2', apiSecret: () => vault.read('key-2') },
   * ];
   * const client = new PartnerClient({ credentials });
   */
  readonly credentials?: readonly { readonly apiKey: string; readonly apiSecret?: ApiSecret | undefined }[] | undefined;
  /**
   * Time limit of a call in ms, from its start, over all attempts and waits. Above 0, at most
   * 2,147,483,647. Default 30,000. At the limit, the call fails with a `TimeoutError`.
   */
  readonly timeout?: number | undefined;
  /**
   * Time limit of one attempt in ms, from the moment its bytes are sent until the whole response
   * has arrived. Above 0, at most 2,147,483,647. Default 10,000. At the limit, the attempt fails
   * and may be retried. A response that arrived while the event loop was blocked still counts.
   */
  readonly attemptTimeout?: number | undefined;
  /**
   * Maximum number of retries of a call, where a retry is safe. 0 or more. Default 3. Even with 0,
   * the client retries a request that the service did not begin to process and, unless it is a
   * write without an idempotency key, a 401, because a later nonce may have overtaken the request,
   * or a proxy may have sent it twice.
   */
  readonly maxRetries?: number | undefined;
  /** In ms, 0 or more. Default 30,000. If `Retry-After` is longer, the call fails at once. */
  readonly maxRetryAfter?: number | undefined;
  /**
   * The source of nonces. Default: nanoseconds since the epoch, strictly increasing for each API
   * key across the whole process. If several processes use the same API keys, use `redisKeyLeases`
   * of `partner-sdk/redis`, or `keyIsShared`.
   *
   * @example
   * import { createClient } from 'redis';
   *
   * const redis = createClient({ url: 'redis://localhost:6379' });
   * const client = new PartnerClient({ nonce: redisKeyLeases(redis) });
   */
  readonly nonce?: NonceSource | undefined;
  /**
   * True if other processes use these API keys without coordination, for example functions that
   * make a few calls each. Default false. A 401 may then mean that another process's request came
   * first, so the client sends the call again with a new nonce, up to five times, even with
   * `maxRetries: 0`. A write without an idempotency key is never sent again after a 401, and its
   * outcome is `unknown`. Until the first call of the process succeeds, the client sends one call
   * at a time, and the other calls wait. After five rejected attempts, the waiting calls fail with
   * that 401. A call that sent its OTP as a string is not sent again, and an OTP function is called
   * at most three times per call. Together with `nonce`, this option throws a `ConfigurationError`.
   */
  readonly keyIsShared?: boolean | undefined;
  /**
   * The order in which requests of one API key are sent:
   *
   * - `adaptive` (default): up to 64 in flight, as close together as `nonceRefusals` allows;
   * - `strict`: one at a time;
   * - `unordered`: up to 64 in flight without a gap, for API keys whose nonce window at the service
   *   allows late arrivals.
   */
  readonly nonceOrder?: NonceOrder | undefined;
  /**
   * Share of requests, from 0 to 1, that the service may reject because a later nonce arrived
   * first. The client retries them. Default 0.01. A larger share allows a higher rate. The client
   * uses the share only while calls wait in the queue, and at most 0.001 otherwise. With 0, it
   * sends one request at a time, for a service that locks API keys after rejections. Clients that
   * share an API key use the smallest share among them.
   */
  readonly nonceRefusals?: number | undefined;
  /**
   * Signs requests (`API-Sign`): an object with `sign(input)`, or such a function. Default:
   * HMAC-SHA512 with the API secret.
   *
   * @example
   * const client = new PartnerClient({
   *   apiKey,
   *   signer: ({ path, nonce, body }) => hsm.sign({ path, nonce, body }),
   * });
   */
  readonly signer?: Signer | Signer['sign'] | undefined;
  /**
   * One-time password (`API-Otp`). Default: none. A string is sent only with
   * `accounts.wallets.whitelist`, which requires one. A function is called for every write, once
   * per attempt; the client sends what it returns, and nothing if that is `undefined`. If
   * `whitelist` gets no password, it fails with a `ProviderError` before it is sent. No source says
   * which other writes need one, so ask the service (`docs/reference/questions.md` of this
   * package).
   *
   * @example
   * const client = new PartnerClient({
   *   otp: (operation) =>
   *     operation === 'accounts.wallets.whitelist' ? authenticator.code() : undefined,
   * });
   */
  readonly otp?: string | OtpProvider | undefined;
  /**
   * Sends the requests: `undiciTransport()` or `fetchTransport()`. Default: undici where it runs,
   * otherwise the platform's `fetch`.
   *
   * @example
   * import { ProxyAgent } from 'undici';
   *
   * const dispatcher = new ProxyAgent('http://proxy.internal:3128');
   * const client = new PartnerClient({ transport: undiciTransport({ dispatcher }) });
   */
  readonly transport?: Transport | undefined;
  /**
   * Size limit of a response body, in bytes. 1 or more. Default 4 MiB (4,194,304). A larger body
   * causes a `ResponseValidationError`. The bytes of a compressed body count as they arrive and
   * again when decoded; decoding stops at the limit.
   */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Allows plain http to hosts that are not loopback, where signatures and personal data would be
   * readable on the network. Webhooks may then also be registered over http on a private network.
   * Default false.
   */
  readonly allowInsecureHttp?: boolean | undefined;
  /**
   * Extra headers of every request. Headers that the SDK writes are rejected; `user-agent` is one
   * of them, see `appInfo`. Default: none.
   *
   * @example
   * const client = new PartnerClient({ headers: { 'x-team': 'payouts' } });
   */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Names your application in the `user-agent` header, after the SDK. Default: none.
   *
   * @example
   * const client = new PartnerClient({ appInfo: { name: 'acme-payouts', version: '2.1.0' } });
   */
  readonly appInfo?: AppInfo | undefined;
  /**
   * How responses are checked against their types:
   *
   * - `tolerant` (default): a missing member, or `null` where the type has no `null`, is read as
   *   `undefined`. A string, number or boolean where another of these types belongs is converted if
   *   that is exact (`"7"` to 7, 7 to `"7"`, `"true"` to `true`), and otherwise left unchanged.
   *   **The types do not show what is missing or left unchanged**, so the logger gets a `warn`,
   *   once per path and client. Any other value of a wrong type causes a `ResponseValidationError`,
   *   and so does an amount that arrives as a number, because it may have lost digits.
   * - `strict`: a missing member or a value of a wrong type causes a `ResponseValidationError`.
   * - `warn`: neither is an error. The logger gets a `warn`, and a value that cannot be read stays
   *   unchanged.
   *
   * In every mode, a response without its `data` or its list causes a `ResponseValidationError`,
   * and so does a response that belongs to another call.
   */
  readonly responseValidation?: ResponseValidation | undefined;
  /**
   * Receives a line for each request and response (`debug`), retry (`warn`) and failure (`error`),
   * with fields of an allowlist only. `console`, pino and winston fit. For other loggers whose
   * methods take `(fields, message)` use `pinoLogger(…)`. Default: none.
   *
   * @example
   * import pino from 'pino';
   *
   * const client = new PartnerClient({ logger: pino({ level: 'warn' }) });
   */
  readonly logger?: Logger | undefined;
  /**
   * Functions that observe calls, with allowlisted fields. Several such objects in an array are
   * called in their order, and the `run` of the first is outermost. If one fails, the others are
   * still called. Default: none.
   *
   * @example
   * const client = new PartnerClient({
   *   hooks: {
   *     onEnd: ({ operation, outcome, durationMs }) => console.log(operation, outcome, durationMs),
   *   },
   * });
   */
  readonly hooks?: Hooks | readonly Hooks[] | undefined;
}
