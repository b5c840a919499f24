import type { DeliveryScheme } from '../delivery/signature.js';

/** The signature headers of a delivery, as far as they can be understood. */
export interface ClaimedSignature {
  /** Scheme that the form of the headers indicates. Undefined if it fits none. */
  readonly scheme?: DeliveryScheme;
  /** `webhook-id`, in the scheme `standard`. */
  readonly id?: string | undefined;
  /** The signed time as it is written. */
  readonly timestamp?: string | undefined;
  /** The signatures as they are written. */
  readonly signatures: readonly string[];
  /** The mistake in their form. Undefined if there is none. */
  readonly problem?: string | undefined;
}

/** Maximum number of parts of a header that are read; the others are ignored. */
const MAX_PARTS = 32;

/** Parses the signature headers of a delivery. Their names may have any letter case. */
export function claimedIn(headers: Readonly<Record<string, string>>): ClaimedSignature {
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const signature = lower.get('x-signature');
  if (signature !== undefined) return ownSignature(signature.trim());
  const [id, timestamp, list] = ['id', 'timestamp', 'signature'].map(
    (name) => lower.get(`webhook-${name}`) ?? lower.get(`svix-${name}`),
  );
  if (id !== undefined || list !== undefined) return standardSignature(id, timestamp, list);
  return { signatures: [], problem: 'the delivery has no header X-Signature' };
}

function ownSignature(header: string): ClaimedSignature {
  if (/^[0-9a-f]{64}$/i.test(header)) return { scheme: 'body', signatures: [header] };
  const parts = header.split(',', MAX_PARTS).map((part) => part.trim());
  const signatures = valuesOf('v1=', parts);
  const [timestamp, ...others] = new Set(valuesOf('t=', parts));
  if (timestamp === undefined || others.length > 0 || signatures.length === 0) {
    return { signatures, problem: 'X-Signature is not of the form t=<unix seconds>,v1=<hex>' };
  }
  const problem = timeProblem('the time t in X-Signature', timestamp);
  return { scheme: 'timestamped', timestamp, signatures, problem };
}

function standardSignature(id = '', timestamp = '', list = ''): ClaimedSignature {
  const signatures = valuesOf('v1,', list.split(' ', MAX_PARTS));
  const [missing] = Object.entries({ id, timestamp, signature: list }).find(([, value]) => value === '') ?? [];
  const form = 'the header webhook-signature must be a list, separated by blanks, of v1,<base64>';
  const problem =
    missing === undefined
      ? (timeProblem('the time in webhook-timestamp', timestamp) ?? (signatures.length === 0 ? form : undefined))
      : `the delivery has no header webhook-${missing}`;
  return { scheme: 'standard', id, timestamp, signatures, problem };
}

function timeProblem(name: string, time: string): string | undefined {
  if (/^\d{13,}$/.test(time)) return `${name} is in milliseconds, but must be in seconds`;
  return /^\d{1,12}$/.test(time) ? undefined : `${name} is not one in unix seconds`;
}

const valuesOf = (prefix: string, parts: readonly string[]): string[] =>
  parts.filter((part) => part.startsWith(prefix)).map((part) => part.slice(prefix.length));
