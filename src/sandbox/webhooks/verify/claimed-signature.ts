import type { DeliveryScheme } from '../delivery/signature.js';

/** The signature headers of a delivery, as far as they can be understood. */
export interface ClaimedSignature {
  /** Scheme that the form of the headers indicates. Undefined if it fits none. */
  readonly scheme: DeliveryScheme | undefined;
  /** `webhook-id`, in the scheme `standard`. */
  readonly id?: string | undefined;
  /** The signed time as it is written. */
  readonly timestamp: string | undefined;
  /** The signatures as they are written. */
  readonly signatures: readonly string[];
  /** The mistake in their form. Undefined if there is none. */
  readonly problem: string | undefined;
}

const FORM = 't=<unix seconds>,v1=<hex>';
const HEX = /^[0-9a-f]+$/i;
const MAX_SIGNATURES = 32;

/** Parses the headers. `header`: a header's value by its lower-case name. */
export function claimedIn(header: (name: string) => string | undefined): ClaimedSignature {
  const signature = header('x-signature');
  if (signature !== undefined) return claimedSignature(signature);
  const standard = (name: string) => header(`webhook-${name}`) ?? header(`svix-${name}`);
  const [id, timestamp, list] = [standard('id'), standard('timestamp'), standard('signature')];
  if (id !== undefined || list !== undefined) return standardSignature(id, timestamp, list);
  const problem = 'the delivery has no header X-Signature';
  return { scheme: undefined, timestamp: undefined, signatures: [], problem };
}

/** Parses `X-Signature`. Reports a wrong form, and still reads as much as possible. */
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
  return timeProblem('the time t in X-Signature', time);
}

function timeProblem(name: string, time: string): string | undefined {
  if (/^\d{13,}$/.test(time)) return `${name} is in milliseconds, but must be in seconds`;
  return /^\d{1,12}$/.test(time) ? undefined : `${name} is not one in unix seconds`;
}

function standardSignature(
  id: string | undefined,
  timestamp: string | undefined,
  list: string | undefined,
): ClaimedSignature {
  const parts = list?.split(' ', MAX_SIGNATURES) ?? [];
  const signatures = parts.filter((part) => part.startsWith('v1,')).map((part) => part.slice('v1,'.length));
  const missing = Object.entries({ id, timestamp, signature: list }).find(([, value]) => value === undefined);
  const claimed = { scheme: 'standard' as const, id, timestamp, signatures };
  if (missing !== undefined) return { ...claimed, problem: `the delivery has no header webhook-${missing[0]}` };
  const form = 'the header webhook-signature must be a list, separated by blanks, of v1,<base64>';
  return {
    ...claimed,
    problem: signatures.length === 0 ? form : timeProblem('the time in webhook-timestamp', timestamp ?? ''),
  };
}
