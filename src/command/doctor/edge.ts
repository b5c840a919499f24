import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { type Finding, finding } from './finding.js';

const TLS_TIMEOUT_MS = 10_000;

const DAY_MS = 86_400_000;

/** A certificate that ends sooner is worth a look. */
const ENDS_SOON_MS = 14 * DAY_MS;

/** Headers that proxies and load balancers add. */
const EDGE_HEADERS = ['server', 'via', 'x-cache', 'cf-ray', 'x-served-by', 'x-amz-cf-pop'];

/** Longer words may be a secret or signature that a server sends back. */
const LONG_WORD = /[\w+/=-]{33,}/g;

/** A clock further off is worth a look, in ms. `Date` has whole seconds. */
const SKEW_MS = 5_000;

/** A clock further off makes deliveries of webhooks too old or too new, in ms. */
const BAD_SKEW_MS = 60_000;

/** Opens a connection and sends nothing over it. */
export function tlsFinding(url: URL): Promise<Finding> {
  if (url.protocol !== 'https:') {
    return Promise.resolve(finding('tls', 'warning', 'none: plain http is only for this machine'));
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(url.port || 443),
      ALPNProtocols: ['h2', 'http/1.1'],
      rejectUnauthorized: true,
      ...(isIP(host) === 0 ? { servername: host } : {}),
    });
    const end = (level: Finding['level'], message: string): void => {
      socket.destroy();
      resolve(finding('tls', level, message));
    };
    socket.setTimeout(TLS_TIMEOUT_MS, () => end('problem', `no handshake within ${TLS_TIMEOUT_MS / 1000} s`));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      end('problem', `no handshake: ${error.code ?? error.message}`),
    );
    socket.on('secureConnect', () => {
      const ends = Date.parse(socket.getPeerCertificate().valid_to);
      const left = ends - Date.now();
      const facts = `${socket.getProtocol()}, ALPN ${socket.alpnProtocol || 'none'}, certificate for ${Math.floor(left / DAY_MS)} more days`;
      end(left < ENDS_SOON_MS ? 'warning' : 'ok', facts);
    });
  });
}

/** Finds servers in front of the service by the headers of a response. */
export function edgeFinding(headers: Readonly<Record<string, string>>): Finding {
  const told = EDGE_HEADERS.filter((name) => headers[name] !== undefined);
  const list = told.map((name) => `${name}: ${headers[name]?.replace(LONG_WORD, '…').slice(0, 60)}`).join(', ');
  return finding('edge', 'fact', list === '' ? 'the response names none' : list);
}

/** @param at Time in the middle of the call, in ms since the epoch. */
export function clockFinding(date: string | undefined, at: number): Finding {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return finding('clock', 'fact', 'the response has no Date to compare with');
  // A date is cut to its second.
  const skew = at - (theirs + 500);
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (Math.abs(skew) <= SKEW_MS) return finding('clock', 'ok', `within ${SKEW_MS / 1000} s of the service`);
  const side = skew < 0 ? 'behind' : 'ahead of';
  const why =
    skew < 0
      ? 'nonces are below those of other machines, and deliveries of webhooks look too new'
      : 'later nonces of other machines are rejected, and deliveries of webhooks look too old';
  const level = Math.abs(skew) > BAD_SKEW_MS ? 'problem' : 'warning';
  return finding('clock', level, `this machine is ${seconds} s ${side} the service: ${why}. Set it by NTP`);
}
