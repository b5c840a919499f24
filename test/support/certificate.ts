import { execFileSync } from 'node:child_process';
import { isIP } from 'node:net';

/** A self-signed certificate for one host, with its private key; both PEM. Needs `openssl`. */
export function certificateFor(host: string): { readonly key: string; readonly cert: string } {
  const name = `subjectAltName=${isIP(host) > 0 ? 'IP' : 'DNS'}:${host}`;
  const text = execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '9000'],
      ...['-subj', `/CN=${host}`, '-addext', name, '-keyout', '-'],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const begin = text.indexOf('-----BEGIN CERTIFICATE-----');
  return { key: text.slice(0, begin), cert: text.slice(begin) };
}
