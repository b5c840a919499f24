import './util/supported-node.js';

export * from './exports.js';
export type { TlsOptions } from './transport/tls.js';
export { type UndiciTransportOptions, undiciTransport } from './transport/undici.js';
