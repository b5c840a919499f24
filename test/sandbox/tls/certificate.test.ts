import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ownCertificate } from '../../../src/sandbox/serve/tls/certificate.js';
import { bitString, integer, objectId, octetString, sequence, TRUE, time } from '../../../src/sandbox/serve/tls/der.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('a DER value', () => {
  test.each<[what: string, bytes: Uint8Array, expected: string]>([
    ['0', integer(Buffer.from([0, 0])), '020100'],
    ['127', integer(Buffer.from([0x7f])), '02017f'],
    ['128, which is not negative', integer(Buffer.from([0x80])), '02020080'],
    ['a number without leading zeros', integer(Buffer.from([0, 0, 1, 2])), '02020102'],
    ['true', TRUE, '0101ff'],
    ['no item', sequence(), '3000'],
    ['bits', bitString(Buffer.from([0x80]), 7), '03020780'],
    ['an id with a large part', objectId('1.2.840.113549'), '06062a864886f70d'],
    ['an id with a part of 128', objectId('2.5.128'), '0603558100'],
    ['a year before 2050', time(new Date('2049-12-31T23:59:59.999Z')), `170d${hex(Buffer.from('491231235959Z'))}`],
    ['a year from 2050 on', time(new Date('2050-01-01T00:00:00Z')), `180f${hex(Buffer.from('20500101000000Z'))}`],
  ])('%s is written as X.690 says', (_, bytes, expected) => {
    expect(hex(bytes)).toBe(expected);
  });

  test.each([
    [127, '047f'],
    [128, '048180'],
    [255, '0481ff'],
    [256, '04820100'],
    [65_536, '0483010000'],
  ])('of %i bytes has the shortest length', (length, begin) => {
    expect(hex(octetString(Buffer.alloc(length))).slice(0, begin.length)).toBe(begin);
  });
});

describe('a certificate of its own', () => {
  const hosts = ['localhost', '127.0.0.1', '::1', '2001:db8::ff:1', '::ffff:1.2.3.4', 'my_sandbox', 'sandbox.test'];
  const made = ownCertificate(hosts);
  const [cert, ca] = [new X509Certificate(made.cert), new X509Certificate(made.ca)];

  test('is one of an authority, for the names and addresses alone', () => {
    expect([ca.ca, cert.ca, cert.checkIssued(ca), cert.verify(ca.publicKey)]).toEqual([true, false, true, true]);
    for (const host of ['localhost', 'my_sandbox', 'sandbox.test']) expect(cert.checkHost(host)).toBe(host);
    for (const address of ['127.0.0.1', '::1', '2001:db8::ff:1', '::ffff:1.2.3.4']) {
      expect(cert.checkIP(address), address).toBe(address);
    }
    expect(cert.checkHost('other.test')).toBeUndefined();
    expect(cert.checkIP('127.0.0.2')).toBeUndefined();
  });

  test('is good from yesterday on, and for less than the 398 days that platforms take', () => {
    const [from, to] = [Date.parse(cert.validFrom), Date.parse(cert.validTo)];
    expect(from).toBeLessThan(Date.now() - 3_600_000);
    expect(to - from).toBeLessThanOrEqual(398 * 86_400_000);
    expect(to).toBeGreaterThan(Date.now() + 300 * 86_400_000);
  });

  test('is another each time, with a key of its own', () => {
    const other = ownCertificate(hosts);
    expect(new X509Certificate(other.cert).serialNumber).not.toBe(cert.serialNumber);
    expect(new X509Certificate(other.cert).verify(ca.publicKey)).toBe(false);
  });

  test('is taken by the strict check of OpenSSL', () => {
    const folder = mkdtempSync(join(tmpdir(), 'partner-sandbox-tls-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'ca.pem'), made.ca);
    writeFileSync(join(folder, 'cert.pem'), made.cert);
    const check = (...more: string[]) =>
      execFileSync(
        'openssl',
        ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', 'ca.pem', ...more, 'cert.pem'],
        {
          cwd: folder,
          encoding: 'utf8',
          stdio: 'pipe',
        },
      );
    expect(check('-verify_hostname', 'sandbox.test')).toBe('cert.pem: OK\n');
    expect(check('-verify_ip', '2001:db8::ff:1')).toBe('cert.pem: OK\n');
    expect(() => check('-verify_hostname', 'other.test')).toThrow(/hostname mismatch/i);
  });
});
