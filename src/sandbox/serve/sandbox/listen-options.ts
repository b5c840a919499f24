import * as z from 'zod/mini';
import { isHostName } from './host-names.js';

/** Address at which a sandbox listens. */
export interface ListenOptions {
  /** Port. Default 0: the system chooses a free port. */
  readonly port?: number | undefined;
  /** Host or address. Default `127.0.0.1`: only this machine can reach it. */
  readonly host?: string | undefined;
  /**
   * Additional host names of the control plane, without port: `sandbox.test`. All other names are
   * rejected, so that web pages whose names resolve to this machine cannot use it. Addresses,
   * `localhost` and `host` are always accepted. If other machines can reach `host`, names without a
   * dot are accepted, too. Default: none.
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
  /** If `false`, serves the control plane without the page at `/_sandbox/`. Default `true`. */
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

const pem = (what: string, error: string) => {
  const begin = new RegExp(`-----BEGIN [A-Z0-9 ]*${what}-----`);
  return z.custom<string>((value) => typeof value === 'string' && begin.test(value), { error });
};

export const listenOptions = z.strictObject({
  port: z._default(z.int().check(z.minimum(0), z.maximum(65_535)), 0),
  host: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  allowedHosts: z._default(
    z.custom<readonly string[]>((value) => Array.isArray(value) && value.every(isHostName), {
      error: 'must be a list of host names',
    }),
    [],
  ),
  tls: z.optional(
    z.strictObject({
      key: pem('PRIVATE KEY', 'must be a private key in PEM'),
      cert: pem('CERTIFICATE', 'must be a certificate in PEM'),
    }),
  ),
  inspector: z._default(z.boolean(), true),
});
