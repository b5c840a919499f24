import {
  BOOLEAN,
  checkOptions,
  objectOf,
  type Rules,
  rule,
  type WithDefaults,
  wholeNumber,
} from '../../../util/options.js';
import { isHostName } from './host-names.js';

/** Address at which a sandbox listens. */
export interface ListenOptions {
  /** Port. Default 0: the system chooses a free port. */
  readonly port?: number | undefined;
  /** Host or address. Default `127.0.0.1`: only this machine can reach it. */
  readonly host?: string | undefined;
  /**
   * Additional host names of the control plane, without port: `sandbox.test`. All other names are
   * refused, so that web pages whose names resolve to this machine cannot use it. Addresses,
   * `localhost` and `host` are always accepted. So are names without a dot, if other machines can
   * reach `host`. Default: none.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Serves HTTPS, with HTTP/2 and HTTP/1.1, by this certificate. Default: HTTP.
   *
   * @example
   * const service = createSandbox();
   * const { url: address } = await service.listen({ tls: { key, cert } });
   * const transport = undiciTransport({ tls: { ca: cert } });
   * const caller = new PartnerClient({ baseUrl: address, ...service.credentials, transport });
   * await caller.users.get(service.fixtures.userId);
   * await caller.close();
   * await service.close();
   */
  readonly tls?: TlsIdentity | undefined;
  /** `false`: the page at `/_sandbox/` is not served, but the control plane is. Default `true`. */
  readonly inspector?: boolean | undefined;
}

/** A certificate with its chain, and its private key: PEM. */
export interface TlsIdentity {
  readonly key: string;
  readonly cert: string;
}

/** The address on which a sandbox listens. */
export interface ListeningAddress {
  readonly url: string;
  readonly port: number;
}

const IDENTITY = objectOf({
  key: { ...rule(isPem('PRIVATE KEY'), 'must be a private key in PEM'), required: true },
  cert: { ...rule(isPem('CERTIFICATE'), 'must be a certificate in PEM'), required: true },
} satisfies Rules<TlsIdentity>);

const LISTEN_RULES = {
  port: { ...wholeNumber(0, 65_535), default: 0 },
  host: {
    ...rule((value) => typeof value === 'string' && value !== '', 'must be a name or an address'),
    default: '127.0.0.1',
  },
  allowedHosts: {
    ...rule((value) => Array.isArray(value) && value.every(isHostName), 'must be a list of host names', lowerCaseList),
    default: [],
  },
  tls: IDENTITY,
  inspector: { ...BOOLEAN, default: true },
} satisfies Rules<ListenOptions>;

function isPem(what: string): (value: unknown) => boolean {
  const begin = new RegExp(`-----BEGIN [A-Z0-9 ]*${what}-----`);
  return (value) => typeof value === 'string' && begin.test(value);
}

function lowerCaseList(value: unknown): unknown {
  return Array.isArray(value) ? value.map((name) => (typeof name === 'string' ? name.toLowerCase() : name)) : value;
}

/** Reads the options of `listen`. Throws a `TypeError` that names the first wrong one. */
export function checkedListen(options: ListenOptions): WithDefaults<ListenOptions, typeof LISTEN_RULES> {
  return checkOptions('listen', options, LISTEN_RULES, TypeError);
}
