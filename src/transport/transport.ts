import { VERSION } from '../version.js';
import type { Connections, ConnectOptions } from './connections.js';

/**
 * The way in which bytes reach the service. Only `undiciTransport()` and `fetchTransport()` create
 * one. For a proxy, a mock or a test, give them a dispatcher or a `fetch` of your own. Anything
 * else causes a `ConfigurationError`.
 */
export interface Transport {
  /** `undici` or `fetch`, as `client.stats()` shows it. */
  readonly name: string;
  /** Lets the compiler reject an object that was created in another way. */
  readonly brand: 'partner-sdk.transport';
}

/** Creates the connections of one lane. Nothing is connected before the first `reserve`. */
type Connect = (origin: string, options: ConnectOptions) => Connections;

type Made = Transport & { readonly [CONNECT]: Connect; readonly [DIRECT]: boolean };

/** Shared by the ESM and the CJS copy of one version. Another version may differ inside. */
const CONNECT: unique symbol = Symbol.for(`partner-sdk.transport@${VERSION}`);
const DIRECT: unique symbol = Symbol.for(`partner-sdk.transport.direct@${VERSION}`);

/** @param direct True if the SDK opens the connections itself. */
export function createTransport(name: string, connect: Connect, direct: boolean = false): Transport {
  const transport: Made = { name, brand: 'partner-sdk.transport', [CONNECT]: connect, [DIRECT]: direct };
  return transport;
}

/** True if the SDK opens the connections itself. */
export const isDirect = (transport: Transport): boolean => (transport as Made)[DIRECT] === true;

/** True for a transport that this version of the package has created. */
export function isTransport(value: unknown): value is Transport {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, CONNECT);
}

/**
 * Makes the connections of one lane.
 *
 * @param origin Scheme, host and port.
 */
export function connectionsOf(transport: Transport, origin: string, options: ConnectOptions): Connections {
  return (transport as Made)[CONNECT](origin, options);
}
