import { isIP } from 'node:net';

/** The names by which the control plane may be reached. */
export interface HostNames {
  readonly scheme: 'http' | 'https';
  /** The host on which the sandbox listens, in lower case. */
  readonly host: string;
  /** Additional names, in lower case. */
  readonly allowed: readonly string[];
}

/** True for a name without scheme, port and wildcard, such as `sandbox` or `sandbox.test`. */
export function isHostName(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_-]+)*$/i.test(value);
}

/** True for a host that only programs on this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/**
 * Returns the reason why a request may not drive the sandbox; undefined if it may. A web page can
 * make its own host name resolve to this machine (DNS rebinding), and could then read responses.
 */
export function hostProblem(header: (name: string) => string | undefined, names: HostNames): string | undefined {
  const host = header('host');
  // Each request of a page names its host. A health check by HTTP/1.0 names none.
  const hostname = host === undefined ? names.host : hostnameOf(host);
  if (hostname === undefined || !isOwn(hostname, names)) {
    return (
      'the control plane is not reached by this host: use the address that the sandbox listens on, or allow the ' +
      "name (--allow-host of the command, PARTNER_SANDBOX_ALLOW_HOST, allowedHosts of 'listen')"
    );
  }
  const origin = header('origin');
  const isSame = origin === undefined || origin === `${names.scheme}://${host}`;
  // A browser names another site or origin here. Programs send nothing or `none`.
  const isFromHere = ['same-origin', 'none'].includes(header('sec-fetch-site') ?? 'none');
  return isSame && isFromHere ? undefined : 'pages of other origins have no access';
}

function isOwn(hostname: string, { host, allowed }: HostNames): boolean {
  if (hostname === 'localhost' || hostname === host || allowed.includes(hostname)) return true;
  if (isIP(hostname) > 0) return true;
  // True for the name of a service in a container network. The host name of a public web page
  // contains a dot.
  return !isLoopback(host) && /^[a-z0-9_-]+$/.test(hostname);
}

/** Returns the host name of a `Host` header in lower case, without port and brackets. */
function hostnameOf(host: string): string | undefined {
  const url = `http://${host}`;
  // In `evil.example:80@localhost`, the host is behind a user and a password.
  return !/[@/?#\\]/.test(host) && URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : undefined;
}
