import { ConfigurationError } from '../errors.js';
import { hasMethod, ownMember } from '../util/members.js';
import { BOOLEAN, checkOptions, type Rules, rule } from '../util/options.js';
import { DirectConnections } from './direct.js';
import { DispatcherConnections } from './dispatcher.js';
import { secureContextOf, TLS_RULE, type TlsOptions } from './tls.js';
import { createTransport, type Transport } from './transport.js';
import type { UndiciDispatcher } from './undici-exchange.js';

export type { UndiciDispatcher } from './undici-exchange.js';

/** Options of `undiciTransport`. */
export interface UndiciTransportOptions {
  /**
   * A dispatcher of your own, for a proxy or a mock, of undici 7. The SDK never closes it. The
   * dispatcher opens the connections, so only the gap between two starts keeps calls of one API key
   * in order. Default: connections that the SDK opens itself, HTTP/2 where the service speaks it,
   * otherwise HTTP/1.1.
   *
   * @example
   * import { ProxyAgent } from 'undici';
   *
   * const dispatcher = new ProxyAgent('http://proxy.internal:3128');
   * const client = new PartnerClient({ transport: undiciTransport({ dispatcher }) });
   */
  readonly dispatcher?: UndiciDispatcher | undefined;
  /**
   * If true, connections offer HTTP/2 and HTTP/1.1, and the service chooses. If false, they offer
   * only HTTP/1.1, and a call takes about 0.6 times the CPU time of a call over HTTP/2, so choose
   * false if you pay for CPU. With HTTP/2, one connection keeps the calls of an API key in order,
   * so the service rejects fewer of them because of their nonces. Can't be combined with
   * `dispatcher`, which chooses the protocol itself. Default true.
   */
  readonly http2?: boolean | undefined;
  /**
   * Certificates of a private authority, and of the client (mutual TLS). Can't be combined with
   * `dispatcher`, which has its own. Default: the authorities that Node trusts, and no certificate
   * of the client.
   *
   * @example
   * const transport = undiciTransport({ tls: { ca } }); // PEM of a private authority
   * const client = new PartnerClient({ transport });
   */
  readonly tls?: TlsOptions | undefined;
}

const RULES = {
  dispatcher: rule((value) => hasMethod(value, 'dispatch'), 'must be an undici dispatcher'),
  http2: BOOLEAN,
  tls: TLS_RULE,
} satisfies Rules<UndiciTransportOptions>;

/**
 * `node:tls` of an older Bun does not compare the host with the names in the server's certificate.
 */
const OLDEST_BUN = '1.4';

/** True where the SDK can open its own connections: Node, Deno, and Bun that is not too old. */
export function undiciWorks(): boolean {
  const bun = ownMember(process.versions, 'bun');
  // To compare numerically loads the collation of ICU, which takes 7 ms of CPU.
  return bun === undefined || bun.localeCompare(OLDEST_BUN, 'en', { numeric: true }) >= 0;
}

/**
 * The default transport: the SDK opens its own connections. They use HTTP/2 where TLS negotiates it
 * and `http2` is not false, otherwise HTTP/1.1.
 *
 * @example
 * const client = new PartnerClient({ transport: undiciTransport({ http2: false }) });
 *
 * @throws ConfigurationError for an unknown or wrong option, and in Bun before 1.4 if no dispatcher
 *   is given.
 */
export function undiciTransport(options: UndiciTransportOptions = {}): Transport {
  const { dispatcher, http2, tls } = checkOptions('undiciTransport', options, RULES, ConfigurationError);
  if (dispatcher !== undefined) {
    if (tls !== undefined) {
      throw new ConfigurationError('undiciTransport: give tls or dispatcher: a dispatcher has its own certificates');
    }
    if (http2 !== undefined) {
      throw new ConfigurationError('undiciTransport: give http2 or dispatcher: a dispatcher chooses its own protocol');
    }
    return createTransport('undici', (origin, lane) => new DispatcherConnections(origin, dispatcher, lane));
  }
  if (!undiciWorks()) {
    throw new ConfigurationError(
      `undiciTransport needs Bun ${OLDEST_BUN} or newer, because an older one does not verify the host of a connection. Use fetchTransport()`,
    );
  }
  const settings = { tls: tls && secureContextOf(tls), http2: http2 ?? true };
  return createTransport('undici', (origin, lane) => new DirectConnections(origin, settings, lane), true);
}
