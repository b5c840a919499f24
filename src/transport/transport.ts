import { VERSION } from '../version.js';
import type { Connections, ConnectOptions } from './connections.js';

/**
 * How bytes reach the service. Only `undiciTransport()` and `fetchTransport()` make one: give them a dispatcher or a
 * `fetch` of your own for a proxy, a mock or a test. Anything else is a `ConfigurationError`.
 */
export interface Transport {
  /** `undici` or `fetch`, as `client.stats()` shows it. */
  readonly name: string;
  /** Lets the compiler refuse an object that neither function has made. */
  readonly brand: 'partner-sdk.transport';
}

/** Makes what one lane sends through. Nothing is connected before the first `reserve`. */
type Connect = (origin: string, options: ConnectOptions) => Connections;

/** Shared by the ESM and the CJS copy of one version. What another version has made may work differently inside. */
const CONNECT: unique symbol = Symbol.for(`partner-sdk.transport@${VERSION}`);

export function createTransport(name: string, connect: Connect): Transport {
  const transport: Transport & { readonly [CONNECT]: Connect } = {
    name,
    brand: 'partner-sdk.transport',
    [CONNECT]: connect,
  };
  return transport;
}

/** True for what this version of the package has made. */
export function isTransport(value: unknown): value is Transport {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, CONNECT);
}

/**
 * Makes the connections of one lane.
 *
 * @param origin Scheme, host and port.
 */
export function connectionsOf(transport: Transport, origin: string, options: ConnectOptions): Connections {
  return (transport as Transport & { readonly [CONNECT]: Connect })[CONNECT](origin, options);
}
