import { isOtp } from '../request/options.js';
import type { PreparedCall } from '../request/prepare.js';
import { isBase64 } from '../runtime/bytes.js';
import { isThenable } from '../util/platform.js';
import { formMistake } from '../util/secret-form.js';
import { HmacSigner, type Signer } from './signer.js';

/** One API key with its secret. */
export interface Credentials {
  readonly apiKey: string;
  /** Undefined if a user-supplied signer has its own, and after the client has been closed. */
  apiSecret: string | (() => string | Promise<string>) | undefined;
}

/** The strings of one attempt, after the functions have returned theirs. */
export interface ResolvedCredentials {
  readonly apiSecret: string | undefined;
  readonly otp: string | undefined;
}

/** Lets the end of the call break off a wait. */
export interface Cancellation {
  wait<T>(work: PromiseLike<T>): Promise<T>;
}

/** A signer, nonce source, secret function or OTP provider failed. */
export class ProviderFailure {
  constructor(
    readonly provider: 'signer' | 'nonce' | 'apiSecret' | 'otp',
    readonly cause: unknown,
  ) {}
}

/**
 * Calls the functions that return secret and one-time password. They may take long, so this happens
 * before the lane: no other call waits for them.
 *
 * @throws ProviderFailure when a function fails or returns nothing usable; errors of `cancel.wait`.
 */
export async function resolve(
  call: PreparedCall,
  credentials: Credentials,
  signer: Signer,
  cancel: Cancellation,
): Promise<ResolvedCredentials> {
  const apiSecret = await resolveSecret(credentials, signer, cancel);
  return { apiSecret, otp: await resolveOtp(call, cancel) };
}

async function resolveSecret(
  { apiSecret }: Credentials,
  signer: Signer,
  cancel: Cancellation,
): Promise<string | undefined> {
  if (typeof apiSecret !== 'function') return apiSecret;
  const secret = await ask('apiSecret', apiSecret, cancel);
  const mistake = mistakeOf(secret, signer);
  if (mistake === undefined) return secret;
  throw new ProviderFailure('apiSecret', new TypeError(`the apiSecret function must return a base64 string${mistake}`));
}

/** Returns the end of the message about an unusable secret; undefined for one that is usable. */
function mistakeOf(secret: unknown, signer: Signer): string | undefined {
  if (typeof secret !== 'string' || secret === '') return '';
  // A user-supplied signer may take another form.
  if (!(signer instanceof HmacSigner)) return undefined;
  const form = formMistake(secret) ?? (isBase64(secret) ? undefined : copyingMistake(secret));
  if (form !== undefined) return `: it ${form}`;
  return isBase64(secret) ? undefined : '';
}

async function resolveOtp({ otp, operation }: PreparedCall, cancel: Cancellation): Promise<string | undefined> {
  const password = typeof otp === 'function' ? await ask('otp', () => otp(operation.name), cancel) : otp;
  if (password === undefined && !operation.otp) return undefined;
  if (isOtp(password)) return password;
  const message =
    password === undefined
      ? 'this operation needs an OTP, and the OTP provider returned none'
      : 'the OTP provider must return a non-empty printable string';
  throw new ProviderFailure('otp', new TypeError(message));
}

async function ask<T>(
  provider: ProviderFailure['provider'],
  give: () => T | Promise<T>,
  cancel: Cancellation,
): Promise<T> {
  const fail = (cause: unknown): never => {
    throw new ProviderFailure(provider, cause);
  };
  try {
    const given = give();
    if (!isThenable(given)) return given;
    return cancel.wait((given as PromiseLike<T>).then(undefined, fail));
  } catch (cause) {
    return fail(cause);
  }
}

/** Returns the mistake of a string that was copied from a file or a page, if it shows. */
export function copyingMistake(text: string): string | undefined {
  if (text.trim() !== text) return 'has white space or a line end around it: was a file read with its last line end?';
  if (/^["'`].*["'`]$/s.test(text)) return 'has quotation marks around it';
  if (/\\n/.test(text)) return 'has a written \\n in it';
  if (/\s/.test(text)) return 'has white space in it';
  return undefined;
}

/** True if the two are swapped: the secret would be sent as the API key. */
export function areSwapped(apiKey: string, apiSecret: string): boolean {
  const [key, secret] = [apiKey.trim(), apiSecret.trim()];
  return /[+/=]/.test(key) && isSecretLike(key) && !isSecretLike(secret);
}

/** Length in base64 from which a string looks like a secret: that of 48 bytes. */
const SECRET_LIKE_LENGTH = 64;

const isSecretLike = (text: string): boolean => text.length >= SECRET_LIKE_LENGTH && isBase64(text);
