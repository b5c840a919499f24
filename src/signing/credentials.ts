import { ENDED } from '../call/deadline.js';
import type { Route } from '../call/route.js';
import { isOtp } from '../request/options.js';
import { isBase64 } from '../util/options.js';
import { isThenable } from '../util/platform.js';
import { HmacSigner } from './signer.js';

/** A signer, nonce source, secret function or OTP provider failed. */
export class ProviderFailure {
  constructor(
    readonly provider: string,
    readonly cause: unknown,
  ) {}
}

/** What a provider's failure is called in an error's message, and its cause. */
export function providerFailure(error: unknown): { provider: string; cause: unknown } {
  return error instanceof ProviderFailure ? error : { provider: 'provider', cause: error };
}

/** What an attempt needs besides the call itself. */
export interface Provisions {
  readonly secret: string | undefined;
  readonly otp: string | undefined;
}

/** True when functions of the application, or an OTP, stand between the call and the lane. */
export function mustProvide({ call: { otp }, credentials }: Route): boolean {
  return otp !== undefined || typeof credentials.apiSecret === 'function';
}

/** Asks for what may take a person or a vault to give, before the lane is entered: nobody else waits for it. */
export async function provide(route: Route): Promise<Provisions> {
  const secret = await secretFor(route);
  return { secret, otp: await otpFor(route) };
}

async function secretFor(route: Route): Promise<string | undefined> {
  const { apiSecret } = route.credentials;
  if (typeof apiSecret !== 'function') return apiSecret;
  const secret = await ask('apiSecret', route, apiSecret);
  if (typeof secret === 'string') route.keepApiSecret(secret);
  if (isUsable(secret, route)) return secret;
  throw new ProviderFailure('apiSecret', new TypeError('the apiSecret function must give base64 text'));
}

async function otpFor(route: Route): Promise<string | undefined> {
  const { otp, operation, needsOtp } = route.call;
  if (otp === undefined) return undefined;
  const password = typeof otp === 'function' ? await ask('otp', route, () => otp(operation)) : otp;
  if (password === undefined && !needsOtp) return undefined;
  if (!isOtp(password)) {
    throw new ProviderFailure(
      'otp',
      new TypeError(password === undefined ? NO_OTP : 'the OTP provider must give non-empty printable text'),
    );
  }
  route.keepSecret(password);
  return password;
}

const NO_OTP = 'this operation needs an OTP, and the OTP provider gave none';

async function ask<T>(provider: string, { lifetime }: Route, give: () => T | Promise<T>): Promise<T> {
  try {
    const given = give();
    return isThenable(given) ? await lifetime.wait(given as PromiseLike<T>) : given;
  } catch (cause) {
    throw cause === ENDED ? cause : new ProviderFailure(provider, cause);
  }
}

/** The default signer decodes base64; a signer of the caller's may take another form. */
function isUsable(secret: unknown, { settings }: Route): boolean {
  return typeof secret === 'string' && (settings.signer instanceof HmacSigner ? isBase64(secret) : secret !== '');
}
