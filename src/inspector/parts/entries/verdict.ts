import type { JournalEntry } from '../../wire/sandbox.js';

type Sentence = (entry: JournalEntry) => string;

const SENTENCES: Readonly<Record<string, Sentence>> = {
  accepted: ({ status }) => `The request was accepted and got ${status}.`,
  replayed: ({ status }) =>
    `The idempotency key was known, so the first response (${status}) was given again. Nothing happened a second time.`,
  missing_header: () => 'Rejected: a header of the signature is missing.',
  unknown_key: () => 'Rejected: this sandbox has no such API key.',
  malformed_nonce: () => 'Rejected: the nonce is not a whole number of at most 64 bits.',
  bad_signature: () => 'Rejected: API-Sign is not the signature of this request.',
  nonce_not_rising: () => 'Rejected: the API key has already used a nonce as high as this one.',
  missing_otp: () => 'Rejected: this operation needs a one-time password in API-Otp.',
  wrong_otp: () => 'Rejected: the one-time password is wrong.',
  revoked_key: () => 'Rejected: the API key is revoked.',
  missing_scope: () => 'Rejected: the API key lacks the scope of this operation.',
  over_quota: () => 'Rejected: the API key has made too many requests. Retry-After says when to go on.',
  key_reused: () => 'Rejected: the idempotency key belongs to another request.',
  broken_body: () => 'The sender went away before the whole body had arrived. Nothing happened.',
  fault_before: ({ faultId, fault }) =>
    `The fault ${faultId} (${fault}) applied before the request took effect. Nothing happened.`,
  fault_after: ({ faultId, fault, method, isReplay }) => {
    const effect =
      isReplay === true
        ? 'The idempotency key was known, so nothing happened a second time'
        : 'The request took effect';
    return `${method === 'GET' ? 'The request changed nothing' : effect}. Then the fault ${faultId} (${fault}) spoilt its response.`;
  },
  bad_request: ({ causes: { length } }) =>
    length === 1 ? 'Rejected: the request breaks a rule.' : `Rejected: the request breaks ${length} rules.`,
  forbidden: () => 'Rejected: this is not allowed.',
  gone: () => 'Rejected: it was there, and it is over.',
  conflict: () => 'Rejected: the present state does not allow it.',
  internal: () => 'The sandbox itself failed. This is a mistake of the sandbox.',
};

/** Says in a plain sentence how a request ended. */
export function verdictOf(entry: JournalEntry): string {
  const { verdict, status } = entry;
  if (Object.hasOwn(SENTENCES, verdict)) return SENTENCES[verdict]?.(entry) ?? '';
  if (status === 404) return 'Rejected: what the path or the body names does not exist.';
  return `Rejected with ${status ?? 'no response'}: ${verdict.replaceAll('_', ' ')}.`;
}
