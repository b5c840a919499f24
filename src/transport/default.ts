import { isLoopback } from '../util/loopback.js';
import { ownMember } from '../util/members.js';
import { processWide } from '../util/platform.js';
import { VERSION } from '../version.js';
import { fetchTransport } from './fetch.js';
import type { Transport } from './transport.js';
import { undiciTransport, undiciWorks } from './undici.js';

/**
 * The transport of clients without the option: undici where it works (Node, Deno, Bun from 1.4),
 * otherwise the platform's fetch (older Bun, workers). There is one for the process, so these
 * clients share the lanes of their API keys.
 */
export function defaultTransport(): Transport {
  return processWide(`transport@${VERSION}`, () => (undiciWorks() ? undiciTransport() : fetchTransport()));
}

/** Codes of OpenSSL and Node for a certificate of server or client that is not trusted. */
const NOT_TRUSTED =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|ERR_SSL_.*ALERT_.*(CERTIFICATE|UNKNOWN_CA|HANDSHAKE_FAILURE|ACCESS_DENIED))/;

/** Codes of OpenSSL for a first response that is not TLS. */
const NOT_TLS = /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/;

/** How undici's `ProxyAgent` reports a proxy that asks for a password. */
const PROXY_ASKS = /^Proxy response \(407\)/;

/** Returns advice about a failed handshake, to be added to a message; `''` for other failures. */
export function handshakeAdvice(code: string, error: Error): string {
  if (NOT_TRUSTED.test(code)) return CERTIFICATES;
  if (NOT_TLS.test(code)) return SPEAKS_HTTP;
  if (code === 'UND_ERR_INVALID_ARG') return OTHER_UNDICI;
  return [error, error.cause].some((one) => PROXY_ASKS.test(Object(one).message)) ? PROXY_PASSWORD : '';
}

const OTHER_UNDICI = '. The dispatcher rejects this request: it must be one of undici 7, which this package uses';

const PROXY_PASSWORD =
  '. The proxy asks for a name and a password (407): write them into its URL, http://name:password@host';

const CERTIFICATES =
  '. For a private certificate authority set NODE_EXTRA_CA_CERTS or give undiciTransport({ tls: { ca, cert, key } }), which also takes ' +
  'the certificate of the client where the service asks for one';

const SPEAKS_HTTP = '. The server speaks http at this port, not https: check the scheme and port of baseUrl';

/**
 * Returns advice about a host that cannot be reached without help, to be added to a message: a mock
 * that does not see this transport, or a proxy that the environment names and the client does not
 * use. `''` without one, and for this machine. A proxy's URL may have a password, so it is
 * not shown.
 */
export function proxyAdvice(origin: string): string {
  const { protocol, hostname, port } = new URL(origin);
  const scheme = protocol === 'https:' ? 'HTTPS' : 'HTTP';
  const upper = [`${scheme}_PROXY`, 'ALL_PROXY'];
  const name = upper.flatMap((one) => [one, one.toLowerCase()]).find((one) => variable(one) !== '');
  if (name === undefined) return hostname.endsWith('.invalid') ? UNSEEN_BY_MOCKS : '';
  if (isLoopback(hostname) || isExempt(hostname, port)) return '';
  return `. ${name} is set, which this client does not read: to use this proxy, give transport: ${transportOfProxy(name)}`;
}

/** A test chooses such a name, which exists nowhere. */
const UNSEEN_BY_MOCKS =
  '. If MSW or another mock of fetch should respond, it does not see this transport: give the client transport: fetchTransport()';

/** Bun replaces undici's agents by a stub, but its `fetch` reads the variables itself. */
function transportOfProxy(name: string): string {
  if (Object.hasOwn(process.versions, 'bun')) return 'fetchTransport()';
  return `undiciTransport({ dispatcher: new ProxyAgent(process.env.${name}) }), with ProxyAgent of undici 7`;
}

/** True for a host that `NO_PROXY` lists: `*`, a name, its domains, or one of these with a port. */
function isExempt(host: string, port: string): boolean {
  const list = variable('NO_PROXY') || variable('no_proxy');
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    const [, name = '', onlyPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === '' || (onlyPort !== undefined && onlyPort !== port)) return false;
    return host === name || host.endsWith(`.${name}`);
  });
}

function variable(name: string): string {
  try {
    return ownMember(process.env, name) ?? '';
  } catch {
    // Deno denies it to a program without the permission.
    return '';
  }
}
