import { Buffer } from 'node:buffer';
import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { ConfigurationError } from '../errors.js';
import { isBytes } from '../runtime/bytes.js';
import { objectOf, type Rules, rule } from '../util/options.js';

/** A string or bytes in the PEM format. */
export type Pem = string | Uint8Array;

/**
 * Certificates for the SDK's connections. The server's certificate is always verified.
 *
 * @example
 * const tls = { ca, cert, key }; // PEM: text or bytes
 * const client = new PartnerClient({ transport: undiciTransport({ tls }) });
 */
export interface TlsOptions {
  /**
   * The authorities to trust, instead of Node's own and `NODE_EXTRA_CA_CERTS`, as in `node:tls`.
   * One PEM may hold several certificates. Default: Node's.
   */
  readonly ca?: Pem | readonly Pem[] | undefined;
  /** The client's certificate with its chain, for mutual TLS. It needs `key`. Default: none. */
  readonly cert?: Pem | readonly Pem[] | undefined;
  /** The private key of `cert`. Default: none. */
  readonly key?: Pem | undefined;
  /** The passphrase of an encrypted `key`. Default: none. */
  readonly passphrase?: string | undefined;
}

const CERTIFICATE = rule(
  (value) => isList(value, isCertificate),
  'must be a certificate in PEM, or a non-empty array of them',
  copyPem,
);

export const TLS_RULE = objectOf({
  ca: CERTIFICATE,
  cert: CERTIFICATE,
  key: rule(
    (value) => /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(textOf(value)),
    'must be a private key in PEM',
    copyPem,
  ),
  passphrase: rule((value) => typeof value === 'string', 'must be a string'),
} satisfies Rules<TlsOptions>);

function copyPem(value: unknown): unknown {
  if (isBytes(value)) return Buffer.from(value);
  return Array.isArray(value) ? value.map(copyPem) : value;
}

const isCertificate = (value: unknown): boolean => /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/.test(textOf(value));

function isList(value: unknown, fits: (one: unknown) => boolean): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every(fits) : fits(value);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return isBytes(value) ? Buffer.from(value).toString('latin1') : '';
}

const CERTIFICATE_TEXT = /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----[^-]*-----END [A-Z0-9 ]*-----/g;

/**
 * Creates the TLS context of connections with these certificates. It has no other settings of TLS.
 *
 * @throws ConfigurationError when OpenSSL cannot read them, or the private key is not that of the
 *   certificate.
 */
export function secureContextOf(tls: TlsOptions | undefined): SecureContext {
  if ((tls?.cert === undefined) !== (tls?.key === undefined)) {
    throw new ConfigurationError('undiciTransport: tls must contain cert and key together');
  }
  try {
    // A context ignores an authority that OpenSSL cannot read. This throws.
    for (const pem of [tls?.ca, tls?.cert].flat())
      for (const certificate of textOf(pem).match(CERTIFICATE_TEXT) ?? []) new X509Certificate(certificate);
    return createSecureContext({ ...tls } as SecureContextOptions);
  } catch (error) {
    // The code names a function of OpenSSL and nothing of the input. Nothing else of the error is
    // passed on.
    const { code = 'no code' } = error as { code?: string };
    throw new ConfigurationError(`undiciTransport: tls cannot be used: OpenSSL rejects it (${code})`);
  }
}
