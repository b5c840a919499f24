import type { DeliveryScheme } from '../delivery/signature.js';

/** A parsed `X-Signature` header, as far as it can be understood. */
interface ClaimedSignature {
  /** Scheme that the form of the header indicates. Undefined if it fits neither. */
  readonly scheme: DeliveryScheme | undefined;
  /** `t` as it is written. */
  readonly timestamp: string | undefined;
  /** The signatures as they are written. */
  readonly signatures: readonly string[];
  /** The mistake in its form. Undefined if there is none. */
  readonly problem: string | undefined;
}

const FORM = 't=<unix seconds>,v1=<hex>';
const HEX = /^[0-9a-f]+$/i;
const MAX_SIGNATURES = 32;

/** Parses the header. Reports a wrong form, and still reads as much as possible. */
export function claimedSignature(header: string): ClaimedSignature {
  const parts = header.split(',', MAX_SIGNATURES).map((part) => part.trim());
  const valuesOf = (name: string): string[] =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const times = [...new Set(valuesOf('t'))];
  const signatures = valuesOf('v1');
  if (times.length === 0 && signatures.length === 0) return bare(header.trim());
  const claimed = { scheme: 'timestamped' as const, timestamp: times[0], signatures };
  return { ...claimed, problem: problemOf(header, times, signatures) };
}

function bare(text: string): ClaimedSignature {
  const isHex = HEX.test(text) && text.length === 64;
  const [, prefix, rest] = /^(sha256|sha512|sha1|hmac|signature|v\d+)[=:](.+)$/i.exec(text) ?? [];
  const problem =
    prefix === undefined
      ? `X-Signature is not of the form ${FORM}`
      : `X-Signature begins with ${prefix}, but must have the form ${FORM}`;
  return {
    scheme: isHex ? 'body' : undefined,
    timestamp: undefined,
    signatures: [rest ?? text],
    problem: isHex ? undefined : problem,
  };
}

function problemOf(header: string, times: readonly string[], signatures: readonly string[]): string | undefined {
  const [time] = times;
  if (time === undefined) return `X-Signature has no t=<unix seconds> before v1: the time is missing`;
  if (times.length > 1) return 'X-Signature has two different times t: it is open which one counts';
  if (signatures.length === 0 && /v\d+=/.test(header)) return 'X-Signature has signatures, but no v1 among them';
  if (signatures.length === 0) return 'X-Signature has a time, but no signature v1';
  if (/^\d{13,}$/.test(time)) return 'the time t in X-Signature is in milliseconds, but must be in seconds';
  if (!/^\d{1,12}$/.test(time)) return 'the time t in X-Signature is not one in unix seconds';
  return undefined;
}
