import type { Attributes } from '@opentelemetry/api';
import { ADDRESS, PORT, SCHEME } from './conventions.js';

/** The attributes of a service's address. */
export interface Server {
  readonly address: Attributes;
  readonly scheme: string;
}

/** A process calls few services. Beyond this many, their attributes are made anew each time. */
const MAX_KNOWN = 100;

const known = new Map<string, Server>();

/** Returns the attributes of an origin such as `https://api.example.com`. */
export function serverOf(origin: string): Server {
  const found = known.get(origin);
  if (found !== undefined) return found;
  const { hostname, port, protocol } = new URL(origin);
  const scheme = protocol.slice(0, -1);
  const defaultPort = scheme === 'https' ? 443 : 80;
  // A URL writes an IPv6 address in brackets.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const server = { address: { [ADDRESS]: host, [PORT]: port === '' ? defaultPort : Number(port) }, scheme };
  if (known.size < MAX_KNOWN) known.set(origin, server);
  return server;
}

/** The attribute `SCHEME` belongs to spans alone: in metrics it says nothing more than the port. */
export const schemeOf = ({ scheme }: Server): Attributes => ({ [SCHEME]: scheme });
