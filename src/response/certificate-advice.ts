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
