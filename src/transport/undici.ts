import { ConfigurationError } from '../errors.js';
import { refuseNames } from '../pollution.js';
import { hasMethod } from '../util/members.js';
import { checkOptions, type Rules, rule } from '../util/options.js';
import { DirectConnections } from './direct.js';
import { DispatcherConnections } from './dispatcher.js';
import { undiciParts } from './http1/undici-parts.js';
import { NAMES_READ } from './names-read.js';
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
   * else HTTP/1.1.
   */
  readonly dispatcher?: UndiciDispatcher | undefined;
  /**
   * Certificates of a private authority, and of the client (mutual TLS). Not with `dispatcher`,
   * which has its own. Default: the authorities that Node trusts, and no certificate of the client.
   */
  readonly tls?: TlsOptions | undefined;
}

refuseNames(NAMES_READ);

const RULES = {
  dispatcher: rule((value) => hasMethod(value, 'dispatch'), 'must be an undici dispatcher'),
  tls: TLS_RULE,
} satisfies Rules<UndiciTransportOptions>;

/** True where undici works (Node, Deno). Bun has a module of that name that cannot dispatch. */
export function undiciWorks(): boolean {
  const { Client } = undiciParts();
  return typeof Client === 'function' && 'dispatch' in Client.prototype;
}

/**
 * The default transport: the SDK opens its own connections, HTTP/2 where TLS negotiates it, else
 * HTTP/1.1.
 *
 * @throws ConfigurationError for an unknown or wrong option.
 */
export function undiciTransport(options: UndiciTransportOptions = {}): Transport {
  const read = checkOptions('undiciTransport', options, RULES, ConfigurationError);
  const { dispatcher } = read;
  if (dispatcher !== undefined && read.tls !== undefined) {
    throw new ConfigurationError('undiciTransport: give tls or dispatcher: a dispatcher has its own certificates');
  }
  const tls = read.tls && secureContextOf(read.tls);
  if (dispatcher !== undefined) {
    return createTransport('undici', (origin, lane) => new DispatcherConnections(origin, dispatcher, lane));
  }
  return createTransport('undici', (origin, lane) => new DirectConnections(origin, tls, lane), true);
}
