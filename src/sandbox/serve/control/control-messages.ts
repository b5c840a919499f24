/** A method that a program has called over HTTP. */
export interface ControlCall {
  /** Name of the method, for example `clock.advance`. */
  readonly method: string;
  /** Time at which the call was over, by the sandbox's clock: milliseconds since the epoch. */
  readonly at: number;
  /** 200, or 400 or 409 if the sandbox refused the call. */
  readonly status: number;
  /** Reason of the refusal; undefined if there was none. */
  readonly problem: string | undefined;
}

/** The paths of the control plane begin with it; no path of the API does. */
export const CONTROL_PREFIX = '/_sandbox/';

/**
 * True for the paths of the control plane, and for its prefix as a person writes it, without the
 * slash.
 */
export function isControlTarget(target: string | undefined = ''): boolean {
  return target.startsWith(CONTROL_PREFIX) || isWithoutSlash(target);
}

export const isWithoutSlash = (target: string): boolean => `${target.split('?')[0]}/` === CONTROL_PREFIX;

export interface ControlRequest {
  readonly method: string;
  readonly target: string;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
  /** All headers, with names in lower case. */
  headers(): Readonly<Record<string, string>>;
  readonly body: string;
  /** Scheme and authority by which the caller has reached the sandbox. */
  readonly origin: string;
  /** Aborts when the caller goes away. */
  readonly gone: AbortSignal;
}

export interface ControlAnswer {
  readonly status: number;
  readonly body: string;
  /** Beside or in place of the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Server-sent events in place of the body, until they end or the caller goes away. */
  readonly events?: AsyncIterable<string>;
  readonly call?: ControlCall;
}

/** A call that is right in itself, but not now: 409. */
export class Conflict extends Error {}

export function answered(data: unknown): ControlAnswer {
  return { status: 200, body: JSON.stringify({ data: data ?? null }) };
}

export function refused(status: number, message: string): ControlAnswer {
  return { status, body: JSON.stringify({ error: { message } }) };
}
