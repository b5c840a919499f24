import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import { domainToASCII } from 'node:url';
import { bitString, integer, objectId, octetString, sequence, set, TRUE, tagged, time, utf8String } from './der.js';

const OID = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const;

const ALGORITHM = sequence(objectId(OID.ecdsaWithSha256));

const DAY_MS = 86_400_000;

/**
 * Time in ms before now at which a certificate becomes valid, because clients' clocks may be
 * behind.
 */
const BACKDATED_MS = DAY_MS;

/** Validity in ms: platforms refuse a server certificate that is valid for more than 398 days. */
const VALID_MS = 397 * DAY_MS;

/** A certificate with its key, and the certificate of the authority that issued it, in PEM. */
interface OwnCertificate {
  readonly key: string;
  readonly cert: string;
  readonly ca: string;
}

/** Makes an authority, and a certificate that it issues for these names and addresses. */
export function ownCertificate(hosts: readonly string[]): OwnCertificate {
  const authority = { name: nameOf('partner-sandbox CA'), keys: generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
  const server = { name: nameOf('partner-sandbox'), keys: generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
  const cert = signed(server, authority, [
    extension(OID.basicConstraints, sequence(), 'critical'),
    // digitalSignature, the first bit.
    extension(OID.keyUsage, bitString(Buffer.from([0b1000_0000]), 7), 'critical'),
    extension(OID.extendedKeyUsage, sequence(objectId(OID.serverAuth))),
    extension(OID.subjectAltName, sequence(...[...new Set(hosts)].map(alternativeName))),
    extension(OID.subjectKeyIdentifier, octetString(keyIdOf(server.keys.publicKey))),
    extension(OID.authorityKeyIdentifier, sequence(tagged(0, keyIdOf(authority.keys.publicKey), 'implicit'))),
  ]);
  const ca = signed(authority, authority, [
    extension(OID.basicConstraints, sequence(TRUE), 'critical'),
    // keyCertSign, the sixth bit.
    extension(OID.keyUsage, bitString(Buffer.from([0b0000_0100]), 2), 'critical'),
    extension(OID.subjectKeyIdentifier, octetString(keyIdOf(authority.keys.publicKey))),
  ]);
  return { key: server.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert, ca };
}

interface Party {
  readonly name: Uint8Array;
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
}

/** Returns the certificate of `subject`, issued by `issuer`: RFC 5280, version 3. */
function signed(subject: Party, issuer: Party, extensions: readonly Uint8Array[]): string {
  const now = Date.now();
  const content = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    ALGORITHM,
    issuer.name,
    sequence(time(new Date(now - BACKDATED_MS)), time(new Date(now - BACKDATED_MS + VALID_MS))),
    subject.name,
    subject.keys.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensions)),
  );
  const signature = sign('sha256', content, issuer.keys.privateKey);
  const base64 = sequence(content, ALGORITHM, bitString(signature)).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

function nameOf(commonName: string): Buffer {
  return sequence(set(sequence(objectId(OID.commonName), utf8String(commonName))));
}

function extension(id: string, value: Uint8Array, critical?: 'critical'): Buffer {
  return sequence(objectId(id), ...(critical === undefined ? [] : [TRUE]), octetString(value));
}

function keyIdOf(key: KeyObject): Buffer {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20);
}

function alternativeName(host: string): Buffer {
  if (isIP(host) > 0) return tagged(7, addressBytes(host), 'implicit');
  return tagged(2, Buffer.from(domainToASCII(host), 'ascii'), 'implicit');
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // A URL formats it with hexadecimal groups only.
  const shown = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [before = [], after = []] = shown.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex');
}
