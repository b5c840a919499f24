/** A method call over HTTP. */
export interface ControlCall {
  /** Name of the method, for example `clock.advance`. */
  readonly method: string;
  /** Time at which the call ended, by the sandbox's clock: milliseconds since the epoch. */
  readonly at: number;
  /** 200, or 400 or 409 if the sandbox rejected the call. */
  readonly status: number;
  /** Reason of the rejection; undefined if there was none. */
  readonly problem: string | undefined;
}

/** Path prefix of the control plane. No path of the API starts with it. */
export const CONTROL_PREFIX = '/_sandbox/';

/** True for paths of the control plane, and for its prefix without the final slash. */
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
  /** Aborts when the caller closes the connection. */
  readonly signal: AbortSignal;
}

export interface ControlAnswer {
  readonly status: number;
  readonly body: string;
  /** Headers that are added to the usual ones, or replace them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Server-sent events instead of a body, until they end or the caller closes the connection. */
  readonly events?: AsyncIterable<string>;
  readonly call?: ControlCall;
}

/** A valid call that conflicts with the current state: 409. */
export class Conflict extends Error {}

export function answered(data: unknown): ControlAnswer {
  return { status: 200, body: JSON.stringify({ data: data ?? null }) };
}

export function refused(status: number, message: string): ControlAnswer {
  return { status, body: JSON.stringify({ error: { message } }) };
}
