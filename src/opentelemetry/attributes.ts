import type { Attributes } from '@opentelemetry/api';
import type { AttemptEndEvent, AttemptEvent, CallEvent, EndEvent } from '../events.js';
import * as names from './conventions.js';

/** Kept for each key of a memory. Beyond, attributes are made anew each time. */
const MAX_KEPT = 1_000;

/** Keeps what it has made, because each call would otherwise make its attributes anew. */
class Memory<Value> {
  readonly #kept = new Map<string, Value>();

  get(key: string, make: () => Value): Value {
    const found = this.#kept.get(key);
    if (found !== undefined) return found;
    const made = make();
    if (this.#kept.size < MAX_KEPT) this.#kept.set(key, made);
    return made;
  }
}

/** The attributes of the calls, or of the attempts, of one operation. */
interface Known {
  readonly name: string;
  /** Known when it begins. */
  readonly attributes: Attributes;
  /** Of metrics, by how it ended. */
  readonly ended: Memory<Attributes>;
}

interface Server {
  readonly address: Attributes;
  readonly calls: Memory<Known>;
  /** By path, then by method. */
  readonly attempts: Memory<Memory<Known>>;
}

const servers = new Memory<Server>();

function serverOf(origin: string): Server {
  return servers.get(origin, () => {
    const { hostname, port, protocol } = new URL(origin);
    // A URL leaves out the usual port, and writes an IPv6 address in brackets.
    const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const address = { [names.ADDRESS]: host, [names.PORT]: number };
    return { address, calls: new Memory(), attempts: new Memory() };
  });
}

/** Returns host and port of an origin such as `https://api.example.com`. */
export const addressOf = (origin: string): Attributes => serverOf(origin).address;

export function callOf({ origin, operation }: Pick<CallEvent, 'origin' | 'operation'>): Known {
  const { address, calls } = serverOf(origin);
  return calls.get(operation, () => {
    const attributes = { [names.OPERATION]: operation, ...address };
    return { name: operation, attributes, ended: new Memory() };
  });
}

export function attemptOf({ origin, method, path }: Pick<AttemptEvent, 'origin' | 'method' | 'path'>): Known {
  const { address, attempts } = serverOf(origin);
  return attempts
    .get(path, () => new Memory())
    .get(method, () => {
      // The path of a `client.request()` that is given whole is not known.
      const template = path === '' ? {} : { [names.TEMPLATE]: path };
      const attributes = { [names.METHOD]: method, ...address, ...template };
      return { name: path === '' ? method : `${method} ${path}`, attributes, ended: new Memory() };
    });
}

export function endOfCall({ attributes, ended }: Known, { outcome, error }: EndEvent): Attributes {
  return ended.get(error === undefined ? outcome : `${outcome} ${error.name}`, () => ({
    ...attributes,
    ...outcomeOf({ outcome, error }),
    ...(error === undefined ? {} : { [names.ERROR_TYPE]: error.name }),
  }));
}

/** Empty for a read that succeeded: `not_applied` would look like a failure. */
export function outcomeOf({ outcome, error }: Pick<EndEvent, 'outcome' | 'error'>): Attributes {
  return error === undefined && outcome === 'not_applied' ? {} : { [names.OUTCOME]: outcome };
}

export function endOfAttempt({ attributes, ended }: Known, { status, reason }: AttemptEndEvent): Attributes {
  return ended.get(reason === undefined ? String(status) : `${status} ${reason}`, () => ({
    ...attributes,
    ...(status === undefined ? {} : { [names.STATUS]: status }),
    ...(reason === undefined ? {} : { [names.ERROR_TYPE]: names.errorTypeOf(status, reason) }),
  }));
}
