/** A failure as the system or undici names it. */
interface SystemFailure {
  /** `ECONNREFUSED`, `UND_ERR_SOCKET`, … */
  readonly code: string;
  /** The call that failed: `connect`, `read`, `getaddrinfo`, … */
  readonly syscall?: unknown;
}

/** Returns the failure of the system or undici behind an error, up to three causes deep. */
export function systemFailure(error: unknown): SystemFailure | undefined {
  for (let level = error, depth = 0; level instanceof Error && depth < 3; level = level.cause, depth++) {
    if ('code' in level && typeof level.code === 'string') return level as Error & SystemFailure;
  }
  return undefined;
}

export function systemCode(error: unknown): string | undefined {
  return systemFailure(error)?.code;
}

/** Codes of OpenSSL and Node for a certificate of server or client that is not trusted. */
const NOT_TRUSTED =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|ERR_SSL_.*ALERT_.*(CERTIFICATE|UNKNOWN_CA|HANDSHAKE_FAILURE|ACCESS_DENIED))/;

/** Returns advice about a failed certificate, to be added to a message; `''` for other codes. */
export function certificateAdvice(code: string): string {
  return NOT_TRUSTED.test(code) ? CERTIFICATES : '';
}

const CERTIFICATES =
  '. For a private certificate authority set NODE_EXTRA_CA_CERTS or give undiciTransport({ tls: { ca, cert, key } }), which also takes ' +
  'the certificate of the client where the service asks for one';
