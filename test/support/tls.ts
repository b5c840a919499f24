import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificateFor } from './certificate.js';

/** What TLS may negotiate: HTTP/1.1 alone, or HTTP/2 as well. */
export const TLS_PROTOCOLS = ['https', 'http2'] as const;

/** The certificate of every test service that speaks TLS, with its key. */
export const LOCAL = certificateFor('127.0.0.1');

/** A file with these certificates, for `NODE_EXTRA_CA_CERTS` of another process. It is deleted when this process ends. */
export function certificateFile(...certificates: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'partner-sdk-tls-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'trusted.pem');
  writeFileSync(file, certificates.join(''));
  return file;
}

/** The options of the command for `LOCAL`. */
export const tlsWords = (): string[] => [
  '--tls-key',
  certificateFile(LOCAL.key),
  '--tls-cert',
  certificateFile(LOCAL.cert),
];
