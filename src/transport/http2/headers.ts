import { sensitiveHeaders } from 'node:http2';
import { Bare } from '../../util/members.js';
import type { TransportRequest } from '../connections.js';

/** Headers of the connection, which HTTP/2 forbids. The others of that kind are refused where the caller gives them. */
const FORBIDDEN = ['proxy-connection', 'http2-settings'] as const;

/** Headers that no table of an intermediary keeps: they are secret, or differ in each request. */
const NEVER_INDEXED = ['api-key', 'api-sign', 'api-nonce', 'api-otp', 'authorization'];

/**
 * Returns the header list of a request.
 *
 * @param authority Host and port, without the default port.
 */
export function http2Headers(request: TransportRequest, authority: string): Record<string, string> {
  const { method, path, headers, body } = request;
  const pseudo = { ':method': method, ':path': path, ':scheme': 'https', ':authority': authority };
  const list = new Bare() as Record<string | symbol, unknown>;
  Object.assign(list, pseudo, headers);
  for (const name of FORBIDDEN) if (name in list) delete list[name];
  if (body !== undefined) list['content-length'] = String(body.byteLength);
  list[sensitiveHeaders] = NEVER_INDEXED;
  return list as Record<string, string>;
}
